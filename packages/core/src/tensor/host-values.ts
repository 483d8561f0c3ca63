/**
 * The values of operations on host tensors, where they only create, rearrange or map elements: what `arange(3).toArray()` needs
 * no engine for. The scalar language's own evaluator computes them, so the bits are those of every engine.
 */
import type { Literal, Operation, Params } from '../contract.ts';
import { evaluateScalars, type ReadArgument } from '../loop/evaluate.ts';
import { expandCalls } from '../loop/functions/catalog.ts';
import { authored } from '../program/authored.ts';
import { elementwiseBody } from '../program/elementwise.ts';
import { hostForm } from '../program/host.ts';
import { isLiteral } from '../program/literal.ts';
import { allocate, dtypes, type TypedArray } from '../types/dtype.ts';
import type { IndexMap } from '../types/loop-language.ts';
import type { HostForm, Lifted, Operand } from '../types/operand.ts';
import { rowMajorStrides } from '../types/shape.ts';
import type { TensorType } from '../types/tensor-type.ts';

/** Elements computed at most; an engine is a thousand times faster. */
const MOST_COMPUTED = 2 ** 18;

interface Values {
  readonly type: TensorType;
  readonly data: TypedArray;
}

type Deferred = Extract<HostForm, { readonly form: 'deferred' }>;

/** The data of a host tensor, or undefined where an engine has to compute it, or more than `most` elements. No recursion: expressions may be long. */
export function hostValues(tensor: Operand, most: number = MOST_COMPUTED): TypedArray | undefined {
  const known = new Map<Lifted, Values>();
  const work: Lifted[] = [tensor];
  for (let next = work.at(-1); next !== undefined; next = work.at(-1)) {
    const form = known.has(next) ? undefined : formOf(next);
    const missing = form?.form === 'deferred' ? form.inputs.filter((input) => !known.has(input)) : [];
    if (missing.length > 0) {
      work.push(...missing);
      continue;
    }
    work.pop();
    if (form === undefined) continue;
    const data = form.form === 'data' ? form.data : form.form === 'deferred' ? computed(form, next.type as TensorType, known, most) : undefined;
    if (data === undefined) return undefined;
    known.set(next, { type: next.type as TensorType, data });
  }
  return known.get(tensor)?.data;
}

function formOf(value: Lifted): HostForm {
  if (isLiteral(value)) return { form: 'data', data: (value as Literal).data };
  return hostForm(value as Operand) ?? { form: 'resident', buffer: undefined };
}

function computed({ operation, inputs, params }: Deferred, type: TensorType, known: ReadonlyMap<Lifted, Values>, most: number): TypedArray | undefined {
  const { traits } = operation as Operation;
  const operands = inputs.map((input) => known.get(input) as Values);
  const [first] = operands;
  if (traits.identity === true) return first?.data;
  if (traits.layout !== undefined && first !== undefined) return rearranged(authored(operation as Operation, 'traits', () => traits.layout?.(params as Params, first.type, type)) as IndexMap, first, type);
  const count = sizeOf(type);
  if (count > most) return undefined;
  if (traits.iota === true) return filledBy(type, (at) => [at]);
  if (traits.elementwise === undefined) return undefined;
  const exprs = elementwiseBody({ operation: operation as Operation, params: params as Params, inputs: operands, outputs: [{ type }] }).map(expandCalls);
  const readers = operands.map((operand) => readerOf(operand, type));
  const place = { at: 0 };
  const read: ReadArgument = (input, lane) => readers[input]!(place.at, lane);
  return filledBy(type, (at) => {
    place.at = at;
    return evaluateScalars(exprs, read);
  });
}

const sizeOf = (type: TensorType): number => (type.shape as readonly number[]).reduce((product, extent) => product * extent, 1);

/** The array of a type whose elements are given lane by lane. */
function filledBy(type: TensorType, lanesAt: (at: number) => readonly (number | bigint | boolean)[]): TypedArray {
  const count = sizeOf(type);
  const { lanes } = dtypes[type.dtype];
  const data = allocate(type.dtype, count);
  for (let at = 0; at < count; at++) lanesAt(at).forEach((value, lane) => (data[lanes * at + lane] = (type.dtype === 'int64' ? BigInt(value) : Number(value)) as never));
  return data;
}

/** Reads an operand where a result's element lies, its axes broadcast from the last one. */
function readerOf({ type, data }: Values, result: TensorType): (at: number, lane: 0 | 1) => number | bigint {
  const [extents, whole] = [type.shape as readonly number[], result.shape as readonly number[]];
  const own = rowMajorStrides(extents) as readonly number[];
  const skipped = whole.length - extents.length;
  const strides = whole.map((_, axis) => (axis < skipped || extents[axis - skipped] === 1 ? 0 : own[axis - skipped]!));
  const { lanes } = dtypes[type.dtype];
  return (at, lane) => data[lanes * placeOf(at, whole, strides) + lane] as number | bigint;
}

/** The offset of element `at` of a row-major shape under other strides. */
function placeOf(at: number, extents: readonly number[], strides: readonly number[]): number {
  let [rest, place] = [at, 0];
  for (let axis = extents.length - 1; axis >= 0; axis--) {
    const extent = extents[axis]!;
    place += (rest % extent) * strides[axis]!;
    rest = Math.floor(rest / extent);
  }
  return place;
}

function rearranged(map: IndexMap, { type, data }: Values, result: TensorType): TypedArray {
  if (map.kind === 'reshape') return data;
  const own = rowMajorStrides(type.shape) as readonly number[];
  const walked = map.axes.map((axes) => (axes === null ? [] : typeof axes === 'number' ? [axes] : axes));
  const strides = walked.map((axes, axis) => axes.reduce((sum, walks) => sum + own[walks]!, 0) * (map.step?.[axis] ?? 1));
  const start = walked.reduce((sum, axes, axis) => sum + axes.reduce((offset, walks) => offset + own[walks]!, 0) * Number(map.start?.[axis] ?? 0), 0);
  const { lanes } = dtypes[type.dtype];
  const out = allocate(result.dtype, sizeOf(result));
  for (let at = 0; at < out.length; at++) out[at] = data[lanes * (start + placeOf(Math.floor(at / lanes), result.shape as readonly number[], strides)) + (at % lanes)] as never;
  return out;
}
