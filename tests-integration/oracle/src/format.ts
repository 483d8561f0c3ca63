import { allocate, type DType, dtypes, type TypedArray } from '@tf/core';

/** A tensor on the host, row-major; complex values interleaved. */
export interface HostValue {
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly data: TypedArray;
}

export type Json = number | string | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type JsonRecord = Readonly<Record<string, Json>>;

export interface Step {
  readonly out: readonly string[];
  readonly op: string;
  readonly in: readonly string[];
  readonly args: JsonRecord;
}

export interface Tolerance {
  readonly mode: 'elem' | 'norm';
  readonly rtol: number;
  readonly atol: number;
}

export interface ExpectedError {
  /** A result that is not finite is as good as an error. */
  readonly orNan: boolean;
  readonly about: string;
}

/** One of several sets of tensors of which one must match as a whole. */
export interface Alternative {
  readonly label: string;
  readonly tensors: readonly (HostValue | null)[];
}

/** What to compare with. A plain field is one alternative; `null` inside is not judged. */
export interface Expectation {
  readonly outputs: readonly Alternative[] | undefined;
  readonly grads: readonly Alternative[] | undefined;
  readonly jvp: readonly (HostValue | null)[] | undefined;
  readonly hvp: readonly (HostValue | null)[] | undefined;
  readonly gradsFinite: boolean;
  readonly error: ExpectedError | undefined;
}

export interface Case {
  readonly id: string;
  readonly area: string;
  /** Operation or program, with the label after its first dot. */
  readonly op: string;
  readonly optional: boolean;
  readonly inputs: readonly HostValue[];
  readonly names: readonly string[];
  /** A single operation has one step, whose outputs have no names. */
  readonly steps: readonly Step[];
  /** Names of the outputs of a program; of a single operation all are outputs. */
  readonly result: readonly string[] | undefined;
  readonly cotangents: readonly (HostValue | null)[] | undefined;
  readonly tangents: readonly (HostValue | null)[] | undefined;
  readonly values: Tolerance;
  readonly derivatives: Tolerance;
  readonly second: Tolerance;
  readonly signedZero: boolean;
  readonly expect: Expectation;
}

/** A case that does not keep to the format; it counts as failed. */
export class FormatError extends Error {}

const names: Readonly<Record<string, DType>> = Object.freeze({ f32: 'float32', f64: 'float64', c64: 'complex64', c128: 'complex128', i32: 'int32', i64: 'int64', bool: 'bool' });

const fields = {
  case: ['id', 'area', 'op', 'inputs', 'args', 'program', 'result', 'cotangents', 'tangents', 'tol', 'expect', 'optional', 'source', 'note'],
  tensor: ['dtype', 'shape', 'data', 'name'],
  step: ['out', 'op', 'in', 'args'],
  tol: ['mode', 'rtol', 'atol', 'drtol', 'datol', 'hrtol', 'signed_zero'],
  expect: ['outputs', 'outputs_any', 'grads', 'grads_any', 'jvp', 'hvp', 'grads_finite', 'error'],
  error: ['must_throw', 'about', 'or_nan'],
} as const;

function need(condition: boolean, message: string): asserts condition {
  if (!condition) throw new FormatError(message);
}

/** An object with known fields only: a field that nobody reads would be a check that nobody makes. */
function record(value: Json | undefined, what: string, known?: readonly string[]): JsonRecord {
  need(typeof value === 'object' && value !== null && !Array.isArray(value), `${what} is no object`);
  for (const key of Object.keys(value)) need(known === undefined || known.includes(key), `${what} has an unknown field ${JSON.stringify(key)}`);
  return value as JsonRecord;
}

function list(value: Json | undefined, what: string): readonly Json[] {
  need(Array.isArray(value), `${what} is no list`);
  return value as readonly Json[];
}

function text(value: Json | undefined, what: string): string {
  need(typeof value === 'string' && value !== '', `${what} is no text`);
  return value;
}

function texts(value: Json | undefined, what: string): readonly string[] {
  return list(value, what).map((item) => text(item, what));
}

function numeric(value: Json | undefined, what: string): number {
  need(typeof value === 'number' && value >= 0, `${what} is no number from 0 on`);
  return value;
}

function flag(value: Json | undefined, what: string): boolean {
  need(value === undefined || typeof value === 'boolean', `${what} is neither true nor false`);
  return value === true;
}

const special: Readonly<Record<string, number>> = Object.freeze({ NaN: NaN, Inf: Infinity, '-Inf': -Infinity });

function datum(value: Json, dtype: DType): number | bigint {
  if (dtype === 'bool') {
    need(typeof value === 'boolean', `${JSON.stringify(value)} is no boolean`);
    return value ? 1 : 0;
  }
  const number = typeof value === 'string' ? special[value] : value;
  need(typeof number === 'number', `${JSON.stringify(value)} is no number`);
  if (dtypes[dtype].kind !== 'int') return number;
  need(Number.isSafeInteger(number), `${JSON.stringify(value)} is no integer`);
  return dtype === 'int64' ? BigInt(number) : number;
}

export function parseTensor(value: Json | undefined, what: string): HostValue {
  const tensor = record(value, what, fields.tensor);
  const dtype = names[text(tensor['dtype'], `${what}: dtype`)];
  need(dtype !== undefined, `${what}: there is no dtype ${JSON.stringify(tensor['dtype'])}`);
  const shape = list(tensor['shape'], `${what}: shape`).map((extent) => numeric(extent, `${what}: shape`));
  const items = list(tensor['data'], `${what}: data`);
  const count = shape.reduce((product, extent) => product * extent, 1);
  const data = allocate(dtype, count);
  need(items.length === data.length, `${what}: ${items.length} values for the shape [${shape.join(', ')}] of ${dtype}`);
  items.forEach((item, at) => {
    data[at] = datum(item, dtype) as never;
  });
  return { dtype, shape, data };
}

function parseTensors(value: Json | undefined, what: string, count?: number): readonly (HostValue | null)[] {
  const tensors = list(value, what).map((item, at) => (item === null ? null : parseTensor(item, `${what}[${at}]`)));
  need(count === undefined || tensors.length === count, `${what} has ${tensors.length} entries instead of ${count}`);
  return tensors;
}

function parseAlternatives(expect: JsonRecord, field: 'outputs' | 'grads', count?: number): readonly Alternative[] | undefined {
  const [plain, any] = [expect[field], expect[`${field}_any`]];
  need(plain === undefined || any === undefined, `expect has both ${field} and ${field}_any`);
  if (plain !== undefined) return [{ label: '', tensors: parseTensors(plain, field, count) }];
  if (any === undefined) return undefined;
  return list(any, `${field}_any`).map((item) => {
    const alternative = record(item, `${field}_any`, ['label', field]);
    return { label: text(alternative['label'], `${field}_any: label`), tensors: parseTensors(alternative[field], `${field}_any`, count) };
  });
}

function parseError(value: Json | undefined): ExpectedError | undefined {
  if (value === undefined) return undefined;
  const error = record(value, 'expect.error', fields.error);
  need(error['must_throw'] === true, 'expect.error: must_throw is not true');
  return { orNan: flag(error['or_nan'], 'expect.error: or_nan'), about: String(error['about'] ?? '') };
}

function parseExpectation(value: Json | undefined, inputs: number): Expectation {
  const expect = record(value, 'expect', fields.expect);
  const derivative = (field: 'jvp' | 'hvp', count?: number): readonly (HostValue | null)[] | undefined => (expect[field] === undefined ? undefined : parseTensors(expect[field], field, count));
  return {
    outputs: parseAlternatives(expect, 'outputs'),
    grads: parseAlternatives(expect, 'grads', inputs),
    jvp: derivative('jvp'),
    hvp: derivative('hvp', inputs),
    gradsFinite: flag(expect['grads_finite'], 'expect.grads_finite'),
    error: parseError(expect['error']),
  };
}

type Tolerances = Pick<Case, 'values' | 'derivatives' | 'second' | 'signedZero'>;

function parseTolerances(value: Json | undefined): Tolerances {
  const tol = record(value, 'tol', fields.tol);
  const { mode } = tol;
  need(mode === 'elem' || mode === 'norm', `tol.mode is ${JSON.stringify(mode)}, neither "elem" nor "norm"`);
  const of = (field: string): number => numeric(tol[field], `tol.${field}`);
  const [drtol, datol] = [of('drtol'), of('datol')];
  return {
    values: { mode, rtol: of('rtol'), atol: of('atol') },
    derivatives: { mode, rtol: drtol, atol: datol },
    second: { mode, rtol: tol['hrtol'] === undefined ? 10 * drtol : of('hrtol'), atol: 10 * datol },
    signedZero: flag(tol['signed_zero'], 'tol.signed_zero'),
  };
}

const noTolerance: Tolerance = { mode: 'elem', rtol: 0, atol: 0 };

/** The name of the operation: what precedes the first dot. */
export function baseName(op: string): string {
  return op.split('.')[0] as string;
}

function parseSteps(found: JsonRecord, inputs: readonly string[], isError: boolean): Pick<Case, 'steps' | 'result'> {
  const args = found['args'] === undefined ? {} : record(found['args'], 'args');
  const op = text(found['op'], 'op');
  if (found['program'] === undefined) {
    const { call, ...rest } = args;
    need(call === undefined || isError, 'args.call outside an error case');
    return { steps: [{ out: [], op: call === undefined ? baseName(op) : text(call, 'args.call'), in: inputs, args: isError ? rest : args }], result: undefined };
  }
  const defined = new Set(inputs);
  const steps = list(found['program'], 'program').map((item, at) => {
    const step = record(item, `program[${at}]`, fields.step);
    const [out, uses] = [texts(step['out'], `program[${at}].out`), texts(step['in'], `program[${at}].in`)];
    for (const name of uses) need(defined.has(name), `program[${at}] uses ${name} before it is defined`);
    for (const name of out) need(!defined.has(name), `program[${at}] defines ${name} again`);
    for (const name of out) defined.add(name);
    return { out, op: text(step['op'], `program[${at}].op`), in: uses, args: step['args'] === undefined ? {} : record(step['args'], `program[${at}].args`) };
  });
  const result = texts(found['result'], 'result');
  for (const name of result) need(defined.has(name), `result ${name} is not defined`);
  return { steps, result };
}

function checkDirections({ expect, cotangents, tangents }: Pick<Case, 'expect' | 'cotangents' | 'tangents'>): void {
  const pulls = expect.grads !== undefined || expect.hvp !== undefined || expect.gradsFinite;
  need(!pulls || cotangents !== undefined, 'gradients are expected and there are no cotangents');
  need((expect.jvp === undefined && expect.hvp === undefined) || tangents !== undefined, 'tangents of the outputs are expected and there are none of the inputs');
}

/** Reads one line of the set. Throws a FormatError for what the format does not know. */
export function parseCase(line: string): Case {
  const found = record(JSON.parse(line) as Json, 'the case', fields.case);
  const inputs = list(found['inputs'], 'inputs').map((item, at) => parseTensor(item, `inputs[${at}]`));
  const inputNames = list(found['inputs'], 'inputs').map((item, at) => text((item as JsonRecord)['name'] ?? `x${at}`, `inputs[${at}]: name`));
  need(new Set(inputNames).size === inputNames.length, 'two inputs have one name');
  const expect = parseExpectation(found['expect'], inputs.length);
  const isError = expect.error !== undefined;
  const tolerances = isError && found['tol'] === undefined ? { values: noTolerance, derivatives: noTolerance, second: noTolerance, signedZero: false } : parseTolerances(found['tol']);
  const directions = (field: 'cotangents' | 'tangents', count?: number): readonly (HostValue | null)[] | undefined => (found[field] === undefined ? undefined : parseTensors(found[field], field, count));
  const parsed: Case = {
    id: text(found['id'], 'id'), area: text(found['area'], 'area'), op: text(found['op'], 'op'),
    optional: flag(found['optional'], 'optional'),
    inputs, names: inputNames,
    ...parseSteps(found, inputNames, isError),
    cotangents: directions('cotangents'), tangents: directions('tangents', inputs.length),
    ...tolerances,
    expect,
  };
  checkDirections(parsed);
  return parsed;
}
