import { addAt, argsort, convert, countNonzero, dynamicTruncate, getAt, isTfError, maxAt, minAt, setAt, tensor } from '@tf/core';
import { EagerRuntime } from '@tf/eager';
import { createEngine } from '@tf/engine-cpu-wasm';
import { compile, grad, input, jit, type TracedTensor, vmap } from '@tf/traced';
import fc from 'fast-check';
import { expect, it } from 'vitest';

type F64 = TracedTensor<'float64'>;
type Indices = TracedTensor<'int32'>;
const engine = await createEngine();
const runtime = new EagerRuntime();

const flat = (value: unknown): readonly number[] => (Array.isArray(value) ? value.flatMap(flat) : [value as number]);
const product = (shape: readonly number[]): number => shape.reduce((total, extent) => total * extent, 1);
const indexOf = (place: number, shape: readonly number[]): readonly number[] => shape.map((extent, axis) => Math.floor(place / product(shape.slice(axis + 1))) % extent);
const placeOf = (index: readonly number[], shape: readonly number[]): number => index.reduce((place, at, axis) => place * shape[axis]! + at, 0);

interface Case {
  readonly shape: readonly number[];
  readonly axes: readonly number[];
  /** Shapes of the indices, which broadcast to the first. */
  readonly shapes: readonly (readonly number[])[];
  readonly data: readonly (readonly number[])[];
}

const cases: fc.Arbitrary<Case> = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 }).chain((shape) =>
  fc.record({ axes: fc.shuffledSubarray(shape.map((_, axis) => axis), { minLength: 1 }), whole: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 2 }) }).chain(({ axes, whole }) =>
    fc.tuple(...axes.map((_, at) => fc.array(fc.boolean(), { minLength: whole.length, maxLength: whole.length }).map((ones) => whole.map((extent, own) => (at > 0 && ones[own] === true ? 1 : extent))))).chain((shapes) =>
      fc.tuple(...axes.map((axis, at) => fc.array(fc.integer({ min: -shape[axis]!, max: shape[axis]! - 1 }), { minLength: product(shapes[at]!), maxLength: product(shapes[at]!) }))).map((data) => ({ shape, axes, shapes, data })))));

/** NumPy's rule, element by element: the shape of what is read, and which element of x each of it is. */
function meaning({ shape, axes, shapes, data }: Case): { readonly shape: readonly number[]; readonly places: readonly number[] } {
  const sorted = [...axes].sort((a, b) => a - b);
  const first = sorted.every((axis, at) => axis === sorted[0]! + at) ? sorted[0]! : 0;
  const rest = shape.map((_, axis) => axis).filter((axis) => !axes.includes(axis));
  const [before, after] = [rest.slice(0, first), rest.slice(first)];
  const whole = shapes[0]!;
  const result = [...before.map((axis) => shape[axis]!), ...whole, ...after.map((axis) => shape[axis]!)];
  const places = Array.from({ length: product(result) }, (_, place) => {
    const index = indexOf(place, result);
    const picked = index.slice(before.length, before.length + whole.length);
    const at = new Array<number>(shape.length);
    before.forEach((axis, own) => (at[axis] = index[own]!));
    after.forEach((axis, own) => (at[axis] = index[before.length + whole.length + own]!));
    axes.forEach((axis, own) => {
      const value = data[own]![placeOf(picked.map((one, dim) => (shapes[own]![dim] === 1 ? 0 : one)), shapes[own]!)]!;
      at[axis] = value < 0 ? value + shape[axis]! : value;
    });
    return placeOf(at, shape);
  });
  return { shape: result, places };
}

const combine = { setAt: (_old: number, value: number) => value, addAt: (old: number, value: number) => old + value, maxAt: Math.max, minAt: Math.min };
const scatters = { setAt, addAt, maxAt, minAt };

it('several index tensors name elements together, in both modes, as NumPy does; their transposes too', () => {
  const session = runtime.open(engine);
  fc.assert(fc.property(cases, fc.constantFrom('setAt', 'addAt', 'maxAt', 'minAt'), (given, name) => {
    const { shape, axes, shapes, data } = given;
    const expected = meaning(given);
    const values = Array.from({ length: product(shape) }, (_, at) => (at * 7) % 11);
    const updates = Array.from({ length: expected.places.length }, (_, at) => ((at * 5) % 13) - 2);
    const x = tensor(values, { shape: [product(shape)] }).reshape(shape);
    const u = tensor(updates, { shape: [updates.length] }).reshape(expected.shape);
    const indices = data.map((own, at) => tensor(Int32Array.from(own), { shape: shapes[at]! }));
    const read = jit((v: F64, at: readonly Indices[]) => getAt(v, at, { axes }), { engine });
    const got = read(x as never, indices as never);
    expect([got.type.shape, flat(got.toArray())]).toEqual([expected.shape, expected.places.map((place) => values[place])]);
    const written = [...values];
    expected.places.forEach((place, at) => (written[place] = combine[name](written[place]!, updates[at]!)));
    const write = jit((v: F64, at: readonly Indices[], w: F64) => scatters[name](v, at, w, { axes }), { engine });
    expect(flat(write(x as never, indices as never, u as never).toArray())).toEqual(written);
    const variable = runtime.variable(x);
    getAt(variable, indices as never, { axes }).mul(runtime.constant(u)).sum().backward();
    const summed = new Array<number>(values.length).fill(0);
    expected.places.forEach((place, at) => (summed[place]! += updates[at]!));
    expect(flat(variable.grad!.toArray())).toEqual(summed);
    const traced = jit((v: F64, at: readonly Indices[], w: F64) => grad((z: F64) => getAt(z, at, { axes }).mul(w).sum())(v), { engine });
    expect(flat(traced(x as never, indices as never, u as never).toArray())).toEqual(summed);
  }), { numRuns: 60, seed: 1 });
  session.dispose();
});

it('batches of indices, sizes that a run decides, and the error of a run', () => {
  const x = tensor([[1, 2, 3], [4, 5, 6]]);
  const pairs = jit((at: Indices, other: Indices) => vmap((i: Indices, j: Indices) => getAt(x as never as F64, [i, j]))(at, other), { engine });
  expect(pairs(tensor(Int32Array.of(0, 1, -1)) as never, tensor(Int32Array.of(2, 0, 1)) as never).toArray()).toEqual([3, 4, 5]);
  const [v, i] = [input('v', { shape: ['n', 'm'] }), input('i', { dtype: 'int32', shape: ['k'] })];
  const run = compile({ read: getAt(v, [i, -1]), written: addAt(v, [i, i], 10) }, { engine });
  for (const size of [2, 5]) {
    const data = Array.from({ length: size }, (_, row) => [row, row + 0.5]);
    const { read, written } = run({ v: tensor(data), i: tensor(Int32Array.of(-1, 0)) }) as unknown as { read: F64; written: F64 };
    expect(read.toArray()).toEqual([size - 0.5, 0.5]);
    expect(flat(written.toArray()).filter((value) => value >= 10).length).toBe(size === 2 ? 2 : 1 + Number(size === 5));
  }
  const wrong = jit((at: Indices) => getAt(x as never as F64, [at, 0]), { engine });
  let error: unknown;
  try {
    wrong(tensor(Int32Array.of(0, 2)) as never);
  } catch (thrown) {
    error = thrown;
  }
  expect(isTfError(error, 'IndexError') && error.message).toMatch(/^getAt: index 2 of indices\[0\] is out of range: there are 2 rows, and indices\[0\] run from -2 to 1/);
});

it('the places where a condition holds are what the error of where(mask) says', () => {
  const places = jit((mask: TracedTensor<'bool'>) => dynamicTruncate(argsort(convert(mask, 'int32'), 0, { descending: true }), countNonzero(mask), 0), { engine });
  expect(places(tensor([false, true, true, false, true]) as never).toArray()).toEqual([1, 2, 4]);
});
