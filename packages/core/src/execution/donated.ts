/** What the caller of a run gives up. */
import type { DeviceBuffer, EngineInput, Plan } from '../contract.ts';
import { TfError } from '../errors.ts';

export interface Donated<B extends DeviceBuffer> {
  readonly buffers: readonly B[];
  /** Per output: the buffer whose memory it takes. */
  readonly reused: readonly (B | undefined)[];
}

const nothing: Donated<never> = Object.freeze({ buffers: [], reused: [] });

/** A buffer that is an input twice is read in two ways, so no output takes its memory. */
export function donatedOf<B extends DeviceBuffer>({ donations = [], outputs }: Plan, inputs: readonly EngineInput[], indices: readonly number[], isOwn: (input: unknown) => input is B): Donated<B> {
  if (indices.length === 0) return nothing;
  const wrong = indices.find((index) => !(Number.isInteger(index) && index >= 0 && index < inputs.length));
  if (wrong !== undefined) throw new TfError('ArgumentError', `run: donate lists input ${wrong} of ${inputs.length}. List indices of inputs.`, { op: 'run', argument: 'donate', got: wrong, count: inputs.length });
  const given = new Set(indices);
  const times = new Map<EngineInput, number>();
  for (const input of inputs) times.set(input, (times.get(input) ?? 0) + 1);
  const reused = new Array<B | undefined>(outputs.length).fill(undefined);
  for (const { input, output } of donations) {
    const buffer = inputs[input];
    if (given.has(input) && isOwn(buffer) && times.get(buffer) === 1) reused[output] = buffer;
  }
  const buffers = [...new Set([...given].map((index): unknown => inputs[index]))].filter(isOwn);
  return { buffers, reused };
}
