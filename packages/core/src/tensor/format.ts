import { type DType, dtypes, type TypedArray } from '../types/dtype.ts';

/** With more elements than this, long axes show only their ends. */
const threshold = 1000;
/** Entries shown at each end of a shortened axis. */
const edge = 3;
const lineWidth = 80;
const digits = 8;

/**
 * Values as text in the manner of NumPy: aligned, 8 significant digits, long axes shortened, followed by dtype and shape.
 *
 * @example
 * import { formatTensor } from '@tf/core';
 * const text = formatTensor('float64', [2, 2], new Float64Array([1, 2.5, -3, 4]));
 * if (text !== '[[  1, 2.5],\n [ -3,   4]] float64[2, 2]') throw new Error(text);
 */
export function formatTensor(dtype: DType, shape: readonly number[], data: TypedArray): string {
  const count = shape.reduce((product, size) => product * size, 1);
  const shown = shape.map((size) => shownIndices(size, count > threshold));
  const texts = elementTexts(dtype, shape, shown, data);
  const width = texts.reduce((most, text) => Math.max(most, text.length), 0);
  return `${bodyText(shown, texts.map((text) => text.padStart(width)))} ${dtype}[${shape.join(', ')}]`;
}

/** The indices of an axis that are shown; `undefined` stands for those left out. */
type Shown = readonly (number | undefined)[];

function shownIndices(size: number, shorten: boolean): Shown {
  if (!shorten || size <= 2 * edge) return Array.from({ length: size }, (_, index) => index);
  const ends = Array.from({ length: edge }, (_, index) => index);
  return [...ends, undefined, ...ends.map((index) => size - edge + index)];
}

/** The shown elements in order. */
function elementTexts(dtype: DType, shape: readonly number[], shown: readonly Shown[], data: TypedArray): readonly string[] {
  let places: readonly number[] = [0];
  shape.forEach((size, axis) => {
    const indices = (shown[axis] as Shown).filter((index) => index !== undefined);
    places = places.flatMap((place) => indices.map((index) => place * size + index));
  });
  return places.map((place) => elementText(dtype, data, place));
}

function elementText(dtype: DType, data: TypedArray, place: number): string {
  const { kind } = dtypes[dtype];
  if (kind === 'bool') return String(data[place] !== 0);
  if (kind === 'int') return String(data[place]);
  if (kind === 'float') return numberText(data[place] as number);
  const im = numberText(data[2 * place + 1] as number);
  return `${numberText(data[2 * place] as number)}${im.startsWith('-') ? '' : '+'}${im}i`;
}

function numberText(value: number): string {
  if (Object.is(value, -0)) return '-0';
  const rounded = Number(value.toPrecision(digits));
  // A whole number whose digits are not all there is not written as one.
  return rounded !== value && Math.abs(value) >= 10 ** digits ? rounded.toExponential() : String(rounded);
}

/** Brackets, commas and line breaks around the elements, axis by axis from the last. */
function bodyText(shown: readonly Shown[], texts: readonly string[]): string {
  if (shown.length === 0) return texts[0] as string;
  const counts = shown.map((indices) => indices.filter((index) => index !== undefined).length);
  let parts: readonly string[] = texts;
  for (let axis = shown.length - 1; axis >= 0; axis--) {
    const size = counts[axis] as number;
    const outer = counts.slice(0, axis).reduce((product, count) => product * count, 1);
    const depth = shown.length - 1 - axis;
    const inner = parts;
    parts = Array.from({ length: outer }, (_, row) => joinParts(withGap(shown[axis] as Shown, inner.slice(row * size, (row + 1) * size)), depth, axis));
  }
  return parts[0] as string;
}

function withGap(indices: Shown, parts: readonly string[]): readonly string[] {
  const gap = indices.indexOf(undefined);
  return gap < 0 ? parts : [...parts.slice(0, gap), '...', ...parts.slice(gap)];
}

/** One bracketed list; `depth` counts the axes inside it, `axis` those outside. */
function joinParts(parts: readonly string[], depth: number, axis: number): string {
  const indent = ' '.repeat(axis + 1);
  if (depth > 0) return `[${parts.join(`,${'\n'.repeat(depth)}${indent}`)}]`;
  let text = '[';
  let column = axis + 1;
  parts.forEach((part, at) => {
    const last = at === parts.length - 1;
    if (at > 0 && column + 1 + part.length + 1 > lineWidth) {
      text += `\n${indent}`;
      column = axis + 1;
    } else if (at > 0) {
      text += ' ';
      column += 1;
    }
    text += last ? part : `${part},`;
    column += part.length + 1;
  });
  return `${text}]`;
}
