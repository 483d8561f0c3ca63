import { type DType, dtypes } from '@tf/core';
import type { HostValue, Tolerance } from './format.ts';

/** An expected int64 is an index: any integer dtype will do. */
function sameDType(got: DType, want: DType): boolean {
  return got === want || (want === 'int64' && dtypes[got].kind === 'int');
}

/** Moduli of all entries; of a real tensor, magnitudes. */
function moduli({ dtype, data }: HostValue): readonly number[] {
  const parts = Array.from(data as ArrayLike<number | bigint>, Number);
  if (dtypes[dtype].lanes === 1) return parts.map(Math.abs);
  return parts.flatMap((re, at) => (at % 2 === 0 ? [Math.hypot(re, parts[at + 1] as number)] : []));
}

/** The scale S of each entry: its own modulus, or the largest finite one of the tensor. */
function scales(want: HostValue, mode: Tolerance['mode']): (entry: number) => number {
  const sizes = moduli(want);
  if (mode === 'elem') return (entry) => sizes[entry] as number;
  const largest = sizes.reduce((most, size) => (Number.isFinite(size) ? Math.max(most, size) : most), 0);
  return () => largest;
}

function sameZero(got: number, want: number): boolean {
  return got !== 0 || want !== 0 || Object.is(got, want);
}

function fits(got: number, want: number, scale: number, { rtol, atol }: Tolerance): boolean {
  if (!Number.isFinite(want) || !Number.isFinite(got)) return Object.is(got, want);
  // Beside an infinite part the modulus says nothing: a part is then measured by itself.
  return Math.abs(got - want) <= atol + rtol * (Number.isFinite(scale) ? scale : Math.abs(want));
}

/** Why `got` is not what was wanted, or undefined when it is. */
export function mismatch(got: HostValue, want: HostValue, tolerance: Tolerance, signedZero = false): string | undefined {
  if (!sameDType(got.dtype, want.dtype)) return `dtype ${got.dtype} instead of ${want.dtype}`;
  if (got.shape.length !== want.shape.length || got.shape.some((extent, axis) => extent !== want.shape[axis])) return `shape [${got.shape.join(', ')}] instead of [${want.shape.join(', ')}]`;
  if (got.data.length !== want.data.length) return `${got.data.length} values instead of ${want.data.length}`;
  const { lanes, kind } = dtypes[want.dtype];
  const scale = scales(want, tolerance.mode);
  const exact = kind === 'bool' || kind === 'int';
  for (let at = 0; at < want.data.length; at++) {
    const [a, b] = [Number(got.data[at]), Number(want.data[at])];
    const fine = exact ? a === b : fits(a, b, scale(Math.floor(at / lanes)), tolerance) && (!signedZero || sameZero(a, b));
    if (!fine) return `value ${at} is ${show(a)} instead of ${show(b)}, off by ${show(Math.abs(a - b))}`;
  }
  return undefined;
}

function show(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Whether every entry is finite; integers and booleans are. */
export function isFinite({ data }: HostValue): boolean {
  return Array.from(data as ArrayLike<number | bigint>, Number).every(Number.isFinite);
}
