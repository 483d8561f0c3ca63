import { type HostTensor, tensor } from '@tf/core';

/** A specimen under a microscope: discs of different thickness, which dim the light a little and turn its phase. Interleaved real and imaginary parts. */
export function specimen(size: number): HostTensor<'complex128'> {
  const cells = [[0.32, 0.34, 0.17, 1.2], [0.66, 0.3, 0.12, 2.2], [0.6, 0.66, 0.22, -1.1], [0.27, 0.7, 0.11, 2.8], [0.47, 0.47, 0.06, -2.4]] as const;
  const values = new Float64Array(2 * size * size);
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      let [amplitude, phase] = [0.9, 0.6 * Math.sin((2 * Math.PI * (row + 0.5 * column)) / size)];
      for (const [x, y, radius, turn] of cells) {
        const depth = 1 - ((column + 0.5) / size - x) ** 2 / radius ** 2 - ((row + 0.5) / size - y) ** 2 / radius ** 2;
        if (depth <= 0) continue;
        amplitude *= 1 - 0.6 * Math.sqrt(depth);
        phase += turn * Math.sqrt(depth);
      }
      const at = 2 * (row * size + column);
      values[at] = amplitude * Math.cos(phase);
      values[at + 1] = amplitude * Math.sin(phase);
    }
  }
  return tensor(values, { shape: [size, size], dtype: 'complex128' });
}

/** Interleaved numbers turned by the one phase that brings them nearest to others, and their relative distance then. */
export function aligned(found: Float64Array, hidden: Float64Array): { readonly values: Float64Array; readonly error: number } {
  let [re, im, squares] = [0, 0, 0];
  for (let at = 0; at < found.length; at += 2) {
    const [a, b, c, d] = [found[at], found[at + 1], hidden[at], hidden[at + 1]] as [number, number, number, number];
    re += a * c + b * d;
    im += a * d - b * c;
    squares += c * c + d * d;
  }
  const length = Math.hypot(re, im);
  const [cosine, sine] = length === 0 ? [1, 0] : [re / length, im / length];
  const values = new Float64Array(found.length);
  let apart = 0;
  for (let at = 0; at < found.length; at += 2) {
    const [a, b] = [found[at], found[at + 1]] as [number, number];
    values[at] = a * cosine - b * sine;
    values[at + 1] = a * sine + b * cosine;
    apart += ((values[at] as number) - (hidden[at] as number)) ** 2 + ((values[at + 1] as number) - (hidden[at + 1] as number)) ** 2;
  }
  return { values, error: Math.sqrt(apart / squares) };
}
