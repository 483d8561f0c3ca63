/** Which outputs may lie in the memory of which inputs, where a caller gives these up. */
import type { Donation, PlanBuffer, Step } from '../contract.ts';
import { type Dim, dimText } from '../types/dim.ts';
import { worksInPlace } from './in-place.ts';
import type { Lifetime, Lifetimes } from './lifetimes.ts';

/** The memory of an input that is donated, or of an output, and the buffer that touches it first. */
interface Part {
  readonly index: number;
  readonly buffer: number;
  readonly lifetime: Lifetime;
}

/** In order, and which stretches of them run again and again. */
interface Steps {
  readonly steps: readonly Step[];
  readonly loops: readonly Lifetime[];
}

/**
 * Pairs of equal size and dtype where the input is read for the last time before anything writes the output's memory, or
 * by a loop that works in place. `donate`: the inputs that may be given up; `outputOf`: the output in whose memory a buffer begins.
 */
export function donationsOf(buffers: readonly PlanBuffer[], { steps, loops }: Steps, lifetimes: Lifetimes, donate: readonly number[], outputOf: (buffer: number) => number | undefined): readonly Donation[] {
  const donated = new Set(donate);
  const inputs = new Map<string, Part[]>();
  const outputs: Part[] = [];
  const isRepeated = (at: number): boolean => loops.some((loop) => loop.first <= at && at <= loop.last);
  for (const buffer of lifetimes.buffers()) {
    const lifetime = lifetimes.get(buffer) as Lifetime;
    const { place, dtype, elements } = buffers[buffer] as PlanBuffer;
    const output = outputOf(buffer);
    if (output !== undefined) outputs.push({ index: output, buffer, lifetime });
    else if (place.kind === 'input' && donated.has(place.index)) {
      const key = sizeKey(dtype, elements);
      const group = inputs.get(key);
      if (group === undefined) inputs.set(key, [{ index: place.index, buffer, lifetime }]);
      else group.push({ index: place.index, buffer, lifetime });
    }
  }
  return outputs.flatMap((output) => {
    const { dtype, elements } = buffers[output.buffer] as PlanBuffer;
    const { first } = output.lifetime;
    const group = inputs.get(sizeKey(dtype, elements)) ?? [];
    const at = group.findIndex(({ buffer, lifetime: { last } }) => last < first || (last === first && !isRepeated(first) && worksInPlace(buffers, steps[first] as Step, buffer, output.buffer)));
    return at < 0 ? [] : [{ input: (group.splice(at, 1)[0] as Part).index, output: output.index }];
  });
}

function sizeKey(dtype: string, elements: Dim): string {
  return `${dtype} ${dimText(elements)}`;
}
