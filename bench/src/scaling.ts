/** The group scaling: how cost grows, with the length of programs, the elements of tensors and the tensors of a chain. */
import { memberNames, ringReference } from './networks.ts';

/** `program …`: y = y·x + x until so many operations are done, and its gradient: to be built, to be compiled, to be run. */
export type ScalingTask = 'program transform' | 'program compile' | 'program run' | 'matrix chain gradients';

export const programLengths = [10, 100, 1000, 10_000, 100_000] as const;
export const elementCounts = [1e3, 1e4, 1e5, 1e6, 1e7] as const;
export const chainLengths = [10, 30, 100, 300] as const;
const chainExtent = 16;
const vectorLength = 64;

/** Undefined where the task is none of these. */
export function scalingInputs<I>(task: string, size: number, uniform: (shape: readonly number[], low: number, high: number) => I): Readonly<Record<string, I>> | undefined {
  if (task.startsWith('program')) return { x: uniform([vectorLength], -0.9, 0.9) };
  if (task !== 'matrix chain gradients') return undefined;
  const bound = Math.sqrt(3 / chainExtent);
  return Object.fromEntries(memberNames(size).map((name) => [name, uniform([chainExtent, chainExtent], -bound, bound)]));
}

/** d/dx of Σ y, and the trace of the product of the matrices with its gradients, by plain loops. */
export function scalingReference(task: ScalingTask, inputs: Readonly<Record<string, { readonly values: Float64Array }>>, size: number, product: Parameters<typeof ringReference>[2]): Float64Array {
  const valuesOf = (name: string): Float64Array => (inputs[name] as { readonly values: Float64Array }).values;
  if (task === 'matrix chain gradients') return Float64Array.from(ringReference(memberNames(size).map(valuesOf), chainExtent, product).flatMap((part) => [...part]));
  return valuesOf('x').map((x) => {
    let [y, slope] = [x, 1];
    for (let done = 0; done < size; done += 2) [y, slope] = [y * x + x, slope * x + y + 1];
    return slope;
  });
}
