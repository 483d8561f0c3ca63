import { type OptionChecks, requireContext, requireCount, requireEngine, requireFlag, requireFunction, requireText, TfError, wrongArgument } from '@tf/core';
import { coreKey, eagerKey } from './keys.ts';

/** The engine of a session, given first. */
export function requireSessionEngine(op: 'session' | 'sessionAsync' | 'open', value: unknown): void {
  requireEngine(op, 'engine', value, op === 'open' ? 'runtime.open(engine)' : `runtime.${op}(engine, callback)`);
}

export function requireCallback(op: string, value: unknown): void {
  const call = op === 'sessionAsync' ? 'sessionAsync(engine, async () => …)' : op === 'session' ? 'session(engine, () => …)' : `${op}(() => …)`;
  requireFunction(op, 'callback', value, `runtime.${call}`);
}

/** A list; what is in it is asked where it is used. */
export function requireTensorList(op: string, argument: string, value: unknown): void {
  if (!Array.isArray(value)) throw wrongArgument(op, argument, value, 'a list of tensors', `Write [x]${op.endsWith('Many') ? `, or call ${op.slice(0, -'Many'.length)} for one` : ''}.`);
}

/** A list of eager tensors of this copy of the package: at least one. */
function requireTensors(op: string, argument: string, value: unknown): void {
  if (!Array.isArray(value)) throw wrongArgument(op, argument, value, 'a list of tensors', `Write { ${argument}: [x] }.`);
  if (value.length === 0) throw new TfError('ArgumentError', `${op}: ${argument} is an empty list, so no gradient is asked for. List variables, or leave ${argument} out for all that the tensor depends on.`, { op, argument });
  value.forEach((entry: unknown, at) => {
    if (typeof entry !== 'object' || entry === null || !(eagerKey in entry) || !(coreKey in entry)) throw wrongArgument(op, `${argument}[${at}]`, entry, 'an eager tensor', 'Give variables, made with runtime.variable(…), or tensors that retain their gradients.');
  });
}

/** Refuses a derivative of nothing. */
export function requireOutputs(op: string, outputs: readonly unknown[]): void {
  if (outputs.length === 0) throw new TfError('ArgumentError', `${op}: outputs is an empty list, so there is nothing to differentiate. Give one tensor or more: ${op}([loss], …).`, { op, argument: 'outputs' });
}

export const engineOptions: OptionChecks = { engine: requireEngine };
export const gradOptions: OptionChecks = { allowUnused: requireFlag, conjugate: requireFlag, engine: requireEngine };
/** Of the free function, which takes cotangents beside outputs. */
export const freeBackwardOptions: OptionChecks = { inputs: requireTensors, engine: requireEngine };
/** What a cotangent must be depends on the tensor. */
export const backwardOptions: OptionChecks = { cotangent: () => undefined, ...freeBackwardOptions };
export const scopeOptions: OptionChecks = { name: requireText };
export const variableOptions: OptionChecks = { requiresGrad: requireFlag };
export const runtimeOptions: OptionChecks = { context: requireContext, name: requireText, maximumOperations: requireCount, maximumDerivatives: requireCount, derivativeHash: requireFunction };
