import { allSteps, arrayConstructor, type Dim, dimText, type DType, upperBound, dtypes, evaluateDim, type DimBinding, loop, type Plan, type PlanBuffer, type Step, type TypedArray } from '@tf/core';
import { TILE_ROWS } from './tiles.ts';

/** Equal plans, equal texts. */
export function planText(plan: Plan): string {
  const places = plan.buffers.map(({ dtype, elements, place }) => {
    const where = place.kind === 'constant' ? Array.from(place.data as ArrayLike<number | bigint>, (value) => (Object.is(value, -0) ? '-0' : String(value))).join() : place.kind === 'arena' || place.kind === 'tile' ? place.slot : place.index;
    return `${dtype} ${dimText(elements)} ${place.kind} ${where}`;
  });
  const types = [...plan.inputs, ...plan.outputs].map((type) => type.key);
  const constraints = plan.constraints.map(({ left, right }) => `${dimText(left)}=${dimText(right)}`);
  return [plan.inputs.length, ...types, ...places, ...plan.slots.map((sizes) => sizes.map(dimText).join()), ...plan.steps.map(stepText), ...constraints].join('\n');
}

function stepText(step: Step): string {
  const text = (_key: string, value: unknown): unknown => (typeof value === 'object' && value !== null && 'terms' in value ? (value as unknown as { text: string }).text : value);
  switch (step.kind) {
    case 'scan':
      return `${loop.scanText(step.kernel)}\n${JSON.stringify({ ...step, kernel: null }, text)}`;
    case 'tile':
      return `tile ${dimText(step.rows)}\n${stepsText(step.steps)}`;
    case 'repeat':
      return `repeat ${step.counter} ${dimText(step.count)}\n${stepsText(step.steps)}`;
    case 'while':
      return `while ${JSON.stringify(step.holds, text)}\n${stepsText(step.condition)}\n${stepsText(step.steps)}`;
    case 'branch':
      return `branch ${JSON.stringify(step.index, text)}\n${step.branches.map(stepsText).join('\n')}\nend`;
  }
  return step.kind === 'loop' ? `${loop.kernelText(step.kernel)}\n${JSON.stringify({ ...step, kernel: null }, text)}` : JSON.stringify(step, text);
}

function stepsText(steps: readonly Step[]): string {
  return `${steps.map(stepText).join('\n')}\nend`;
}

/**
 * Arrays for the buffers in the arena: those of one slot share their memory, as on any engine, and all of it begins as
 * NaN, so that a plan which reads what nobody wrote is seen.
 */
export function arenaArrays(plan: Plan, binding: DimBinding): readonly (TypedArray | undefined)[] {
  const slots = plan.slots.map((sizes) => {
    const bytes = Math.max(0, ...sizes.map((size) => evaluateDim(size, binding)));
    return undefinedMemory(bytes);
  });
  const tiles = tileElements(plan, binding);
  const tileSlots: number[] = [];
  tiles.forEach((count, buffer) => {
    const { dtype, place } = plan.buffers[buffer] as PlanBuffer;
    if (place.kind === 'tile') tileSlots[place.slot] = Math.max(tileSlots[place.slot] ?? 0, count * dtypes[dtype].bytes);
  });
  const tileMemory = tileSlots.map((bytes) => undefinedMemory(bytes));
  const bounds = new Map<string, Dim>(plan.steps.flatMap((step) => (step.kind === 'extent' ? [[step.symbol, step.bound]] : [])));
  return plan.buffers.map(({ dtype, elements, place }, buffer) => {
    const memory = place.kind === 'arena' ? slots[place.slot] : place.kind === 'tile' ? tileMemory[place.slot] : undefined;
    if (memory === undefined) return undefined;
    const count = place.kind === 'tile' ? (tiles.get(buffer) as number) : evaluateDim(upperBound(elements, bounds), binding);
    return new (arrayConstructor(dtype))(memory, 0, count * dtypes[dtype].lanes);
  });
}

/** An array of NaNs: an output before anything wrote it. */
export function unwritten(dtype: DType, elements: number): TypedArray {
  const { bytes, lanes } = dtypes[dtype];
  return new (arrayConstructor(dtype))(undefinedMemory(elements * bytes), 0, elements * lanes);
}

function undefinedMemory(bytes: number): ArrayBuffer {
  return new Uint8Array(Math.ceil(bytes / 16) * 16).fill(0xff).buffer;
}

/** Elements of the rows that tile steps work on at a time, for the buffers that hold no more than these. */
function tileElements({ buffers, steps }: Plan, binding: DimBinding): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const step of allSteps(steps)) {
    if (step.kind !== 'tile') continue;
    const rows = evaluateDim(step.rows, binding);
    for (const { buffer } of step.steps.flatMap(({ reads, writes }) => [...reads, ...writes])) {
      const { elements, place } = buffers[buffer] as PlanBuffer;
      if (place.kind === 'tile') counts.set(buffer, rows === 0 ? 0 : (evaluateDim(elements, binding) / rows) * Math.min(rows, TILE_ROWS));
    }
  }
  return counts;
}
