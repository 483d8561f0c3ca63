import { describe, type DType, dtypes, isInexact, isOperand, isLiteral, type OptionChecks, requireContext, requireFunction, requireInteger, requireText, TfError, wrongArgument } from '@tf/core';
import type { HostValue } from './values.ts';

export function isHostValue(value: unknown): value is HostValue {
  const { type, data } = (typeof value === 'object' && value !== null ? value : {}) as Partial<HostValue>;
  return typeof type === 'object' && typeof type?.dtype === 'string' && ArrayBuffer.isView(data);
}

/** Refuses anything but a list of host values. */
export function requireValues(op: string, argument: string, value: unknown): asserts value is readonly HostValue[] {
  if (!Array.isArray(value)) throw wrongArgument(op, argument, value, 'a list of host values', "Write [hostValue('float64', [2], [0.5, -1])].");
  value.forEach((entry: unknown, at) => {
    if (!isHostValue(entry)) throw wrongArgument(op, `${argument}[${at}]`, entry, 'a host value', "Write hostValue('float64', [2], [0.5, -1]).");
  });
}

/** Refuses single precision where derivatives are compared with differences. */
export function requireDouble(op: string, inputs: readonly HostValue[], wrt: readonly number[] | undefined): void {
  inputs.forEach(({ type: { dtype, key } }, at) => {
    if (!isInexact(dtype) || (wrt !== undefined && !wrt.includes(at)) || dtype === 'float64' || dtype === 'complex128') return;
    const double = dtype === 'float32' ? 'float64' : 'complex128';
    throw new TfError('DTypeError', `${op}: inputs[${at}] is ${key}, in which differences are too coarse to check a derivative. Give it as ${double}, and convert inside the function if that is what it is about.`, { op, argument: `inputs[${at}]`, dtype });
  });
}

/** Refuses results that are no tensors. */
export function requireTensors(op: string, result: unknown): void {
  for (const [at, entry] of (Array.isArray(result) ? result : [result]).entries()) {
    if (!isOperand(entry) && !isLiteral(entry)) throw new TfError('ArgumentError', `${op}: the function returned ${describe(entry)}${Array.isArray(result) ? ` at ${at}` : ''}; it must return a tensor or a list of tensors computed from its arguments.`, { op, argument: 'f' });
  }
}

function requirePositions(op: string, argument: string, value: unknown): void {
  if (!Array.isArray(value) || !value.every((at) => Number.isSafeInteger(at) && at >= 0)) throw wrongArgument(op, argument, value, 'a list of positions of inputs, which count from 0');
}

function requireTolerance(op: string, argument: string, value: unknown): void {
  if (typeof value !== 'number' || !(value > 0)) throw wrongArgument(op, argument, value, 'a positive number');
}

function requireOrder(op: string, argument: string, value: unknown): void {
  if (value !== 1 && value !== 2) throw wrongArgument(op, argument, value, '1 or 2');
}

function requireCases(op: string, argument: string, value: unknown): void {
  if (!Array.isArray(value)) throw wrongArgument(op, argument, value, 'a list of cases', 'Write [{ name, f, inputs }].');
}

function requireObject(op: string, argument: string, value: unknown): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrongArgument(op, argument, value, 'an object of functions by operation id');
}

function requireFronts(op: string, argument: string, value: unknown): void {
  const holds = (front: unknown): boolean => typeof (front as { readonly run?: unknown } | null)?.run === 'function';
  if (!Array.isArray(value) || !value.every(holds)) throw wrongArgument(op, argument, value, 'a list of modes', 'Write [{ name, run: (loss, inputs, wrt) => … }].');
}

function requireExtension(op: string, argument: string, value: unknown): void {
  const { operations, rules } = (typeof value === 'object' && value !== null ? value : {}) as { readonly operations?: unknown; readonly rules?: unknown };
  if (!Array.isArray(operations) || typeof rules !== 'object') throw wrongArgument(op, argument, value, 'an extension');
}

function requireDTypes(op: string, argument: string, value: unknown): void {
  if (!Array.isArray(value) || !value.every((dtype) => Object.hasOwn(dtypes, dtype as DType))) throw wrongArgument(op, argument, value, `a list of dtypes: ${Object.keys(dtypes).join(', ')}`);
}

/** What modules are is asked where their kernels are registered. */
function requireModules(op: string, argument: string, value: unknown): void {
  if (!Array.isArray(value)) throw wrongArgument(op, argument, value, 'a list of execution modules');
}

function requireArithmetic(op: string, argument: string, value: unknown): void {
  if (value !== 'wide' && value !== 'exact') throw wrongArgument(op, argument, value, "'wide' or 'exact'");
}

/** Refuses a runner that cannot register tests. */
export function requireRunner(op: string, value: unknown): void {
  const { describe: group, it } = (typeof value === 'object' && value !== null ? value : {}) as { readonly describe?: unknown; readonly it?: unknown };
  if (typeof group !== 'function' || typeof it !== 'function') throw wrongArgument(op, 'runner', value, 'a test runner: { describe, it }');
}

export const checkGradsOptions: OptionChecks = { name: requireText, context: requireContext, wrt: requirePositions, seed: requireInteger, tolerance: requireTolerance, order: requireOrder, operations: requireObject };
export const extensionSuiteOptions: OptionChecks = { extension: requireExtension, cases: requireCases, context: requireContext, operations: requireObject, fronts: requireFronts };
export const engineSuiteOptions: OptionChecks = { name: requireText, create: requireFunction, cases: requireCases, context: requireContext, operations: requireObject };
export const referenceEngineOptions: OptionChecks = { dtypes: requireDTypes, modules: requireModules };
export const interpretOptions: OptionChecks = { arithmetic: requireArithmetic, operations: requireObject, watch: requireFunction, revise: requireFunction };
