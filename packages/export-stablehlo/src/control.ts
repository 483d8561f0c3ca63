/** Programs inside programs: each is a function of its own, which equal instructions share. */
import { type Control, type Program, TfError } from '@tf/core';
import type { Emitter } from './emitter.ts';
import type { FunctionType, ModuleWriter } from './module.ts';
import { listText, type Value, type ValueType } from './text.ts';

/** Writes a region as a function for operands of those types. */
export type WriteRegion = (emitter: Emitter, region: Program, operands: readonly ValueType[], stem: string) => FunctionType;

export interface ControlSite {
  readonly emitter: Emitter;
  readonly module: ModuleWriter;
  readonly region: WriteRegion;
  readonly types: readonly ValueType[];
}

export function emitControl(site: ControlSite, control: Control, operands: readonly Value[]): readonly Value[] {
  switch (control.kind) {
    case 'call':
      return callRegion(site, site.emitter, control.body, operands, 'call');
    case 'branch':
      return emitBranch(site, control, operands);
    case 'scan':
      return emitScanLoop(site, control, operands);
    case 'while':
      return emitWhile(site, control, operands);
  }
}

type Of<K extends Control['kind']> = Extract<Control, { readonly kind: K }>;

function callRegion({ region }: ControlSite, emitter: Emitter, body: Program, operands: readonly Value[], stem: string): readonly Value[] {
  const { name, outputs } = region(emitter, body, operands, stem);
  return emitter.call(name, operands, outputs);
}

/** `case` takes an index beyond the last branch for the last; ours below 0 is the first. */
function emitBranch(site: ControlSite, { branches }: Of<'branch'>, [index, ...operands]: readonly Value[]): readonly Value[] {
  const { emitter, types } = site;
  const chosen = emitter.same('maximum', emitter.convert(index as Value, 'i32'), emitter.int32(0));
  return emitter.generic('case', [chosen], types, '', branches.map((branch) => ({ takes: [], body: (inside) => callRegion(site, inside, branch, operands, 'branch') })));
}

/** State: a counter, constants, carries, stacks of slices, stacks of results. */
function emitScanLoop(site: ControlSite, { body, constants, carries, length: dim, reverse }: Of<'scan'>, operands: readonly Value[]): readonly Value[] {
  const { emitter, types } = site;
  const length = emitter.extent(dim);
  const results = types.slice(carries).map((type) => emitter.zeros(type));
  if (length === 0) return [...operands.slice(constants, constants + carries), ...results];
  const state = [emitter.int32(0), ...operands, ...results];
  const ends = emitter.generic('while', state, state, '', [
    { takes: state, body: (inside, [count]) => [inside.compare('LT', count as Value, inside.int32(length))] },
    { takes: state, body: (inside, [count, ...taken]) => {
      const at = reverse ? inside.same('subtract', inside.int32(length - 1), count as Value) : (count as Value);
      const fixed = taken.slice(0, constants);
      const carried = taken.slice(constants, constants + carries);
      const stacks = taken.slice(constants + carries, operands.length);
      const given = callRegion(site, inside, body, [...fixed, ...carried, ...stacks.map((stack) => sliceAt(inside, stack, at))], 'body');
      const put = given.slice(carries).map((value, which) => putSlice(inside, taken[operands.length + which] as Value, value, at));
      return [inside.same('add', count as Value, inside.int32(1)), ...fixed, ...given.slice(0, carries), ...stacks, ...put];
    } },
  ]).slice(1);
  return [...ends.slice(constants, constants + carries), ...ends.slice(operands.length)];
}

function emitWhile(site: ControlSite, { condition, body, conditionConstants, bodyConstants }: Of<'while'>, operands: readonly Value[]): readonly Value[] {
  const constants = conditionConstants + bodyConstants;
  const ends = site.emitter.generic('while', operands, operands, '', [
    { takes: operands, body: (inside, taken) => callRegion(site, inside, condition, [...taken.slice(0, conditionConstants), ...taken.slice(constants)], 'condition') },
    { takes: operands, body: (inside, taken) => [...taken.slice(0, constants), ...callRegion(site, inside, body, taken.slice(conditionConstants), 'body')] },
  ]);
  return ends.slice(constants);
}

function sliceAt(inside: Emitter, stack: Value, at: Value): Value {
  const [, ...shape] = stack.shape;
  const places = [at, ...shape.map(() => inside.int32(0))];
  const row: ValueType = { element: stack.element, shape: [1, ...shape] };
  return inside.reshape(inside.other('dynamic_slice', [stack, ...places], row, `, sizes = ${listText(row.shape)}`), shape);
}

function putSlice(inside: Emitter, stack: Value, value: Value, at: Value): Value {
  const [, ...shape] = stack.shape;
  const row = inside.reshape(value, [1, ...shape]);
  return inside.other('dynamic_update_slice', [stack, row, at, ...shape.map(() => inside.int32(0))], stack);
}

/** Why an extent that a run decides has no StableHLO. */
export function dynamicExtent(op: string): TfError {
  return new TfError('UnsupportedOnEngineError', `exportStableHlo: in dynamicTruncate (${op}) the run decides an extent, and XLA compiles for fixed shapes only. Use the masked form: keep the whole axis and select by iota < k.`, { op, engine: 'xla' });
}
