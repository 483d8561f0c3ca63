import { arrayConstructor, type DType, dtypes } from '@tf/core';
import type { Alternative, Case, Expectation, HostValue, Tolerance } from './format.ts';

/** Wrong copies of a case, each of which the runner must fail if it passes the case. None where it does not apply. */
export type Mutation = (test: Case) => readonly Case[];

/** Smallest steps that a tolerance of zero can see in the dtype: from 0, and relative to the value. */
const steps: Readonly<Partial<Record<DType, readonly [number, number]>>> = Object.freeze({ float32: [1e-30, 2 ** -22], complex64: [1e-30, 2 ** -22], float64: [1e-290, 2 ** -51], complex128: [1e-290, 2 ** -51] });

/** Three times the tolerance away: what was right within it is now wrong. */
function shifted(value: number, dtype: DType, scale: number, { rtol, atol }: Tolerance): number {
  if (!Number.isFinite(value)) return 0;
  const [absolute, relative] = steps[dtype] ?? [1, 0];
  return value + Math.max(3 * (atol + rtol * scale), absolute, relative * Math.abs(value));
}

/** The tensor with the entry at `at` out of tolerance. */
function spoil(value: HostValue, at: number, tolerance: Tolerance): HostValue {
  const { dtype, data } = value;
  const copy = data.slice();
  const sizes = Array.from(data as ArrayLike<number | bigint>, (entry) => Math.abs(Number(entry))).filter(Number.isFinite);
  const { kind } = dtypes[dtype];
  // A complex entry's modulus is at most the sum of its parts: a wider shift is as wrong.
  const own = kind === 'complex' ? sizes.reduce((sum, size) => sum + size, 0) : Math.abs(Number(data[at]));
  const scale = tolerance.mode === 'norm' ? sizes.reduce((most, size) => Math.max(most, size), 0) * (kind === 'complex' ? 2 : 1) : own;
  if (kind === 'bool') copy[at] = 1 - Number(data[at]);
  else if (kind === 'int') copy[at] = (copy instanceof BigInt64Array ? (data[at] as bigint) + 1n : Number(data[at]) + 1) as never;
  else copy[at] = shifted(Number(data[at]), dtype, scale, tolerance);
  return { ...value, data: copy };
}

type Tensors = readonly (HostValue | null)[];

/** One copy for each first and last entry of each tensor, with that entry spoilt. */
function spoilt(tensors: Tensors, tolerance: Tolerance): readonly Tensors[] {
  return tensors.flatMap((value, index) => {
    if (value === null || value.data.length === 0) return [];
    return [...new Set([0, value.data.length - 1])].map((at) => tensors.map((other, place) => (place === index ? spoil(value, at, tolerance) : other)));
  });
}

function expecting(test: Case, wanted: Partial<Expectation>): Case {
  return { ...test, expect: { ...test.expect, ...wanted } };
}

function only(test: Case, wanted: Partial<Expectation>): Case {
  return { ...test, expect: { outputs: undefined, grads: undefined, jvp: undefined, hvp: undefined, gradsFinite: false, error: undefined, ...wanted } };
}

function plain(tensors: Tensors): readonly Alternative[] {
  return [{ label: '', tensors }];
}

function first(alternatives: readonly Alternative[] | undefined): Tensors {
  return alternatives?.length === 1 ? (alternatives[0] as Alternative).tensors : [];
}

/** Far from any value of the set, whose alternatives differ by design. */
function far(tensors: Tensors): Tensors {
  return tensors.map((value) => (value === null ? null : { ...value, data: (value.data as Float64Array).map((entry) => (Number.isFinite(entry) ? entry + 100 : 7)) }));
}

/** Real alternatives, none of which is right any more. */
function allFar(alternatives: readonly Alternative[] | undefined): readonly (readonly Alternative[])[] {
  if (alternatives === undefined || alternatives.length < 2) return [];
  return [alternatives.map(({ label, tensors }) => ({ label, tensors: far(tensors) }))];
}

/** Two alternatives made of a plain expectation, both wrong. */
function asAlternatives(tensors: Tensors, tolerance: Tolerance): readonly (readonly Alternative[])[] {
  const wrong = spoilt(tensors, tolerance);
  return wrong.length === 0 ? [] : [[{ label: 'first', tensors: wrong[0] as Tensors }, { label: 'last', tensors: wrong.at(-1) as Tensors }]];
}

function onEach(tensors: Tensors, change: (value: HostValue) => HostValue): readonly Tensors[] {
  return tensors.flatMap((value, index) => (value === null ? [] : [tensors.map((other, place) => (place === index ? change(value) : other))]));
}

function reshaped(value: HostValue): HostValue {
  return { ...value, shape: [...value.shape, 1] };
}

function retyped(value: HostValue): HostValue {
  const others: Readonly<Record<DType, DType>> = { float32: 'float64', float64: 'float32', complex64: 'complex128', complex128: 'complex64', int32: 'float64', int64: 'float64', bool: 'int32' };
  const dtype = others[value.dtype];
  const data = new (arrayConstructor(dtype))(value.data.length);
  value.data.forEach((entry: number | bigint, at: number) => {
    data[at] = Number(entry);
  });
  return { ...value, dtype, data };
}

/** A zero of the other sign, where the case asks for the sign. */
function resigned(value: HostValue): readonly HostValue[] {
  const at = value.data.findIndex((entry: number | bigint) => entry === 0);
  if (at < 0 || dtypes[value.dtype].kind !== 'float') return [];
  const data = value.data.slice();
  data[at] = Object.is(data[at], -0) ? 0 : -0;
  return [{ ...value, data }];
}

const never: Tolerance = { mode: 'elem', rtol: -1, atol: -1 };

function hasNumber(tensors: Tensors): boolean {
  return tensors.some((value) => value !== null && dtypes[value.dtype].kind === 'float' && value.data.some((entry: number | bigint) => Number.isFinite(entry)));
}

const noHandedError = (test: Case): boolean => test.expect.error === undefined;

/** By the field of the format in which the mistake is. */
export const mutations: Readonly<Record<string, Mutation>> = {
  outputs: (test) => spoilt(first(test.expect.outputs), test.values).map((tensors) => expecting(test, { outputs: plain(tensors) })),
  'outputs: one too few': (test) => (first(test.expect.outputs).length === 0 ? [] : [expecting(test, { outputs: plain(first(test.expect.outputs).slice(1)) })]),
  outputs_any: (test) => asAlternatives(first(test.expect.outputs), test.values).map((outputs) => expecting(test, { outputs })),
  grads: (test) => spoilt(first(test.expect.grads), test.derivatives).map((tensors) => expecting(test, { grads: plain(tensors) })),
  grads_any: (test) => [...allFar(test.expect.grads), ...asAlternatives(first(test.expect.grads), test.derivatives)].map((grads) => expecting(test, { grads })),
  jvp: (test) => spoilt(test.expect.jvp ?? [], test.derivatives).map((jvp) => expecting(test, { jvp })),
  hvp: (test) => spoilt(test.expect.hvp ?? [], test.second).map((hvp) => expecting(test, { hvp })),
  grads_finite: (test) => (first(test.expect.grads).some((value) => value !== null && !value.data.every((entry: number | bigint) => Number.isFinite(Number(entry)))) ? [only(test, { gradsFinite: true })] : []),
  error: (test) => (noHandedError(test) ? [only(test, { error: { orNan: false, about: '' } })] : [only(test, { outputs: plain([]) })]),
  'nothing to check': (test) => [only(test, {})],
  'signed zero': (test) => (test.signedZero ? first(test.expect.outputs).flatMap((value, index, all) => (value === null ? [] : resigned(value).map((wrong) => expecting(test, { outputs: plain(all.map((other, at) => (at === index ? wrong : other))) })))) : []),
  'shape of outputs': (test) => onEach(first(test.expect.outputs), reshaped).map((tensors) => expecting(test, { outputs: plain(tensors) })),
  'shape of grads': (test) => onEach(first(test.expect.grads), reshaped).map((tensors) => expecting(test, { grads: plain(tensors) })),
  'shape of jvp': (test) => onEach(test.expect.jvp ?? [], reshaped).map((jvp) => expecting(test, { jvp })),
  'shape of hvp': (test) => onEach(test.expect.hvp ?? [], reshaped).map((hvp) => expecting(test, { hvp })),
  'dtype of outputs': (test) => onEach(first(test.expect.outputs), retyped).map((tensors) => expecting(test, { outputs: plain(tensors) })),
  'dtype of grads': (test) => onEach(first(test.expect.grads), retyped).map((tensors) => expecting(test, { grads: plain(tensors) })),
  'dtype of jvp': (test) => onEach(test.expect.jvp ?? [], retyped).map((jvp) => expecting(test, { jvp })),
  'dtype of hvp': (test) => onEach(test.expect.hvp ?? [], retyped).map((hvp) => expecting(test, { hvp })),
  'tolerance rtol, atol': (test) => (hasNumber(first(test.expect.outputs)) ? [{ ...test, values: never }] : []),
  'tolerance drtol, datol': (test) => (hasNumber(first(test.expect.grads)) || hasNumber(test.expect.jvp ?? []) ? [{ ...test, derivatives: never }] : []),
  'tolerance hrtol': (test) => (hasNumber(test.expect.hvp ?? []) ? [{ ...test, second: never }] : []),
};
