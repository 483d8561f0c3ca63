import { arrayConstructor, dimText, dtypes, evaluateDim, type DimBinding, loop, type Plan, type Step, type TypedArray } from '@tf/core';

/** Equal plans, equal texts. */
export function planText(plan: Plan): string {
  const places = plan.buffers.map(({ dtype, elements, place }) => {
    const where = place.kind === 'constant' ? Array.from(place.data as ArrayLike<number | bigint>, (value) => (Object.is(value, -0) ? '-0' : String(value))).join() : place.kind === 'arena' ? place.slot : place.index;
    return `${dtype} ${dimText(elements)} ${place.kind} ${where}`;
  });
  const types = [...plan.inputs, ...plan.outputs].map((type) => type.key);
  const constraints = plan.constraints.map(({ left, right }) => `${dimText(left)}=${dimText(right)}`);
  return [plan.inputs.length, ...types, ...places, ...plan.slots.map((sizes) => sizes.map(dimText).join()), ...plan.steps.map(stepText), ...constraints].join('\n');
}

function stepText(step: Step): string {
  const text = (_key: string, value: unknown): unknown => (typeof value === 'object' && value !== null && 'terms' in value ? (value as unknown as { text: string }).text : value);
  return step.kind === 'loop' ? `${loop.kernelText(step.kernel)}\n${JSON.stringify({ ...step, kernel: null }, text)}` : JSON.stringify(step, text);
}

/**
 * Arrays for the buffers in the arena: those of one slot share their memory, as on any engine, and all of it begins as
 * NaN, so that a plan which reads what nobody wrote is seen.
 */
export function arenaArrays(plan: Plan, binding: DimBinding): readonly (TypedArray | undefined)[] {
  const slots = plan.slots.map((sizes) => {
    const bytes = Math.max(0, ...sizes.map((size) => evaluateDim(size, binding)));
    return new Uint8Array(Math.ceil(bytes / 16) * 16).fill(0xff).buffer;
  });
  return plan.buffers.map(({ dtype, elements, place }) => {
    const memory = place.kind === 'arena' ? slots[place.slot] : undefined;
    return memory === undefined ? undefined : new (arrayConstructor(dtype))(memory, 0, evaluateDim(elements, binding) * dtypes[dtype].lanes);
  });
}
