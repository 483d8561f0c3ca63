import { add, type Atom, Builder, type BufferPlace, compileProgram, convert, type DType, exp, greater, matmul, maximum, mul, neg, type Operand, type Plan, type Program, select, sub, sum, tensorType, transpose, type TypedArray } from '@tf/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTunedEngine } from '../engine.ts';
import { randomValues } from '../testing/values.ts';

type Make = (x: Operand, y: Operand) => unknown;

/** Loops of one and of several results with what may not be fused between them, on square matrices. */
const makes: readonly Make[] = [
  (x, y) => add(x, y), (x, y) => mul(x, y), (x, y) => sub(y, x), (x) => neg(x), (x, y) => maximum(x, y), (x, y) => select(greater(x, y), x, y),
  (x, y) => mul(matmul(x, y) as Operand, 0.125), (x) => transpose(x), (x, y) => add(x, sum(y, { axes: 0, keepdims: true }) as Operand), (x, y) => sub(x, sum(y, { axes: 1, keepdims: true }) as Operand),
  (x) => convert(convert(x, 'float32'), 'float64'), (x) => exp(mul(maximum(x, -4), -0.125) as Operand),
];

const recipes = fc.record({
  size: fc.constantFrom(1, 2, 3, 5, 8, 13, 67),
  dtype: fc.constantFrom<DType>('float32', 'float64'),
  picks: fc.array(fc.record({ make: fc.nat(makes.length - 1), x: fc.nat(3), y: fc.nat(50) }), { minLength: 4, maxLength: 25 }),
  outputs: fc.integer({ min: 1, max: 3 }),
  fuse: fc.boolean(),
  tile: fc.boolean(),
});
type Recipe = typeof recipes extends fc.Arbitrary<infer R> ? R : never;

function build({ size, dtype, picks, outputs }: Recipe): Program {
  const builder = new Builder();
  const values: Operand[] = [0, 1].map((at) => builder.input(tensorType(dtype, [size, size]), `x${at}`));
  // Mostly of recent values: operands that die.
  for (const { make, x, y } of picks) values.push(convert(makes[make]!(values[Math.max(0, values.length - 1 - x)]!, values[y % values.length]!) as Operand, dtype) as Operand);
  return builder.build([...new Set(values.slice(-outputs))] as unknown as readonly Atom[]);
}

/** The plan with memory of its own for every buffer that is not the last one of an output. */
function apart(plan: Plan): Plan {
  const slots: Plan['slots'][number][] = [];
  const lastOf = new Map<number, number>();
  const visit = (buffer: number): void => {
    const { place } = plan.buffers[buffer]!;
    if (place.kind === 'output') lastOf.set(place.index, buffer);
  };
  for (const step of plan.steps) {
    if (step.kind === 'loop') for (const { buffer } of step.writes) visit(buffer);
    else if (step.kind === 'tile') for (const loop of step.steps) for (const { buffer } of loop.writes) visit(buffer);
    else if (step.kind === 'contract') visit(step.out.buffer);
    else if (step.kind === 'copy') visit(step.to.buffer);
  }
  const buffers = plan.buffers.map((buffer, at) => {
    const { dtype, elements, place } = buffer;
    const isShared = place.kind === 'arena' || place.kind === 'tile' || (place.kind === 'output' && lastOf.get(place.index) !== at);
    const own: BufferPlace = { kind: 'arena', slot: slots.length };
    if (isShared) slots.push([(elements as number) * (dtype === 'bool' ? 1 : dtype === 'float64' ? 8 : 4)]);
    return isShared ? { ...buffer, place: own } : buffer;
  });
  return { ...plan, buffers, slots };
}

const bits = (array: TypedArray): string => Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString('hex');

test('memory that is shared changes no bit: every buffer apart gives the same, on random programs', () => {
  const engine = createTunedEngine({}, { tiles: { cacheBytes: 2048, minimumBytes: 64 } });
  let saved = 0;
  let donated = 0;
  fc.assert(fc.property(recipes, (recipe) => {
    const { size, dtype, fuse, tile } = recipe;
    const plan = compileProgram(build(recipe), { fuse, tile, donate: [0, 1] });
    const inputs = [1, 2].map((seed) => ({ data: randomValues(dtype, size * size, seed), shape: [size, size] }));
    const [own, others] = [plan, apart(plan)].map((each) => engine.compile(each).run(inputs).map((output) => bits(engine.read(output))));
    expect(own).toEqual(others);
    const given = inputs.map(({ shape, data }) => engine.upload(dtype, shape, data));
    expect(engine.compile(plan).run(given, { donate: [0, 1] }).map((output) => bits(engine.read(output)))).toEqual(others);
    donated += plan.donations!.length;
    saved += plan.steps.filter((step) => step.kind === 'loop' && step.writes.some((write) => step.reads.some((read) => read.buffer !== write.buffer && samePlace(plan, read.buffer, write.buffer)))).length;
  }), { numRuns: 150, seed: 1 });
  expect(saved).toBeGreaterThan(100);
  expect(donated).toBeGreaterThan(50);
});

function samePlace({ buffers }: Plan, a: number, b: number): boolean {
  return JSON.stringify(buffers[a]!.place) === JSON.stringify(buffers[b]!.place);
}
