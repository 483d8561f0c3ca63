/** Elementwise instructions: short ones in their place, longer ones as functions that equal instructions share. */
import { dtypes, type DType, type Instruction, loop, paramsKey, type ScalarExpr } from '@tf/core';
import type { Emitter } from './emitter.ts';
import type { ModuleWriter } from './module.ts';
import { emitScalars } from './scalar.ts';
import { elementOf, type Value, type ValueType } from './text.ts';

/** Operations that a body may have to stand in its place. */
const shortBody = 3;

/** What is computed of one element of each input: one expression per lane of the outputs. */
export interface ScalarBody {
  readonly exprs: readonly ScalarExpr[];
  readonly outputs: readonly DType[];
  /** Equal keys, equal bodies. */
  readonly key: string;
  readonly stem: string;
}

export function emitElementwise(emitter: Emitter, module: ModuleWriter, { operation, params, inputs, outputs }: Instruction, operands: readonly Value[]): readonly Value[] {
  const declared = inputs.map(({ type }) => type.dtype);
  const shape = emitter.extents((outputs[0] as Instruction['outputs'][number]).type.shape);
  const key = `${operation.id}{${paramsKey(params)}}(${declared.join()})`;
  const body: ScalarBody = { exprs: operation.traits.elementwise?.(params, declared) ?? [], outputs: outputs.map(({ type }) => type.dtype), key, stem: operation.name };
  return emitBody(emitter, module, body, operands.map((operand) => emitter.broadcastTo(operand, shape)), shape);
}

/** The operands have the shape of the result. */
export function emitBody(emitter: Emitter, module: ModuleWriter, body: ScalarBody, operands: readonly Value[], shape: readonly number[]): readonly Value[] {
  const exprs = loop.expandAllCalls(body.exprs);
  const isComplex = [...operands, ...body.outputs.map((dtype) => ({ element: elementOf(dtype) }))].some(({ element }) => element.startsWith('complex'));
  if (!isComplex && loop.nodesInOrder(exprs).filter(({ op }) => op !== 'argument' && op !== 'constant').length <= shortBody) return emitInPlace(emitter, exprs, body.outputs, operands, shape);
  const { name, outputs } = module.define(`${body.key} ${shape.join('x')}`, body.stem, () => ({
    takes: operands,
    body: (inside, taken) => emitInPlace(inside, exprs, body.outputs, taken, shape),
  }));
  return emitter.call(name, operands, outputs);
}

function emitInPlace(emitter: Emitter, exprs: readonly ScalarExpr[], outputs: readonly DType[], operands: readonly Value[], shape: readonly number[]): readonly Value[] {
  const lanes = new Map<string, Value>();
  const values = emitScalars(emitter, exprs, shape, (input, lane) => {
    const operand = operands[input] as Value;
    if (!operand.element.startsWith('complex')) return operand;
    const key = `${input} ${lane}`;
    const type: ValueType = { element: operand.element === 'complex<f32>' ? 'f32' : 'f64', shape };
    let part = lanes.get(key);
    if (part === undefined) lanes.set(key, (part = emitter.other(lane === 0 ? 'real' : 'imag', [operand], type)));
    return part;
  });
  let next = 0;
  return outputs.map((dtype) => {
    const parts = values.slice(next, (next += dtypes[dtype].lanes)) as [Value, ...Value[]];
    return parts.length === 1 ? parts[0] : emitter.other('complex', parts, { element: elementOf(dtype), shape });
  });
}

