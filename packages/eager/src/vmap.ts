import { argumentAxes, type BatchAxes, batchAxesPerLeaf, batchSize, broadcastTo, checkOptions, chooseListener, type Dim, type FlatTree, flattenTree, identityOperation, isLiteral, isOperand, type Lifted, liftArgument, moveaxis, mustHaveBatch, normaliseAxis, type Operand, type OptionChecks, type Program, type RegionBody, regionWithMethods, replayProgram, requireBatchAxes, requireFunction, type TensorType, tensorType, TfError, type TracedRegion, unflattenTree, type Var } from '@tf/core';
import type { RuntimeCore } from './core.ts';

export interface VmapOptions {
  /** Per argument, or one for all: the axis that is mapped over, null for an argument that all calls share. Default 0. */
  readonly inAxes?: BatchAxes;
  /** Where the batch axis goes in the results; null for a result that does not depend on the batch. Default 0. */
  readonly outAxes?: BatchAxes;
}

const vmapOptions: OptionChecks = { inAxes: requireBatchAxes, outAxes: requireBatchAxes };

/** `f` over an axis of its arguments: run once on values of a program, whose batched form is then carried out. */
export function vmap(core: RuntimeCore, f: (...args: readonly unknown[]) => unknown, options: VmapOptions): (...args: readonly unknown[]) => unknown {
  requireFunction('vmap', 'f', f, 'runtime.vmap((x) => …)');
  checkOptions('vmap', options, vmapOptions, 'runtime.vmap(f, { inAxes: 0, outAxes: 0 })');
  return (...args) => mapped(core, f, args, options);
}

function mapped(core: RuntimeCore, f: (...args: readonly unknown[]) => unknown, args: readonly unknown[], { inAxes = 0, outAxes = 0 }: VmapOptions): unknown {
  const flat = flattenTree(args);
  const axes = argumentAxes(args, inAxes, flat);
  const size = batchSize(flat, axes, (leaf) => (isOperand(leaf) ? leaf.type.shape : typeof leaf === 'number' ? [] : undefined));
  const places = flat.leaves.flatMap((leaf, at) => (isOperand(leaf) && axes[at] !== null ? [at] : []));
  const wholes = places.map((at) => moveaxis(flat.leaves[at] as Operand, axes[at] as number, 0) as Operand);
  const elements = wholes.map(({ type }) => tensorType(type.dtype, type.shape.slice(1)));
  let results: FlatTree | undefined;
  const { program, captures } = regionOf(core, (given) => {
    const leaves = flat.leaves.map((leaf, at) => (places.includes(at) ? given[places.indexOf(at)] : leaf));
    const result = f(...(unflattenTree(flat.structure, leaves) as readonly unknown[]));
    if (typeof (result as { readonly then?: unknown } | undefined)?.then === 'function') throw new TfError('AsyncCallbackError', 'vmap: the function returned a promise. A program is built synchronously: await before, and pass the value in.', { op: 'vmap' });
    results = flattenTree(result);
    return results.leaves.filter(isOperand);
  }, elements);
  const batched = core.context.batch({ program: program as Program, batched: [...captures.map(() => false), ...wholes.map(() => true)], size });
  const values = carryOut(core, batched.program, [...captures, ...wholes]);
  const found = results as unknown as FlatTree;
  const where = batchAxesPerLeaf('outAxes', outAxes, found);
  let next = 0;
  return unflattenTree(found.structure, found.leaves.map((leaf, at) => {
    if (!isOperand(leaf)) return leaf;
    const which = next++;
    if (where[at] === null && batched.batched[which] === true) throw mustHaveBatch(found, at);
    return placed(values[which] as Operand, batched.batched[which] === true, size, where[at] ?? null);
  }));
}

function regionOf(core: RuntimeCore, body: RegionBody, types: readonly TensorType[]): TracedRegion {
  return core.listener.region === undefined ? regionWithMethods(body, types) : core.listener.region(body, types, []);
}

/**
 * The outputs of a program whose inputs have these values; what runs is recorded as any operation is. Inside another `vmap` or a
 * loop the values are those of its program.
 */
function carryOut(core: RuntimeCore, program: Program, inputs: readonly Operand[]): readonly Operand[] {
  const chosen = chooseListener('vmap', inputs);
  const listener = chosen.level === 0 ? core.listener : chosen;
  const env = new Map<Var, Lifted>(program.inputs.map((input, at) => [input, liftArgument(listener, inputs[at] as Operand, input.type.dtype, 'vmap', at)]));
  const outputs = replayProgram<Lifted>(program, env, (literal) => literal, ({ operation, params }, operands) => listener.apply(operation, operands, params));
  return outputs.map((output) => (isLiteral(output) ? (listener.apply(identityOperation, [output], {})[0] as Operand) : (output as Operand)));
}

function placed(value: Operand, isBatched: boolean, size: Dim, axis: number | null): Operand {
  if (axis === null) return value;
  const whole = (isBatched ? value : broadcastTo(value, [size, ...value.type.shape])) as Operand;
  return moveaxis(whole, 0, normaliseAxis('vmap', axis, whole.type.shape.length, 'outAxes')) as Operand;
}
