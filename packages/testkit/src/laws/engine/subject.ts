import { compileProgram, type DeviceBuffer, type DType, type Engine, type HostModule, type Program } from '@tf/core';
import { type InterpretOptions, interpretProgram } from '../../interpreter/interpret.ts';
import { firstDifference, type HostValue, hostValue, positionText } from '../../values.ts';
import { compare, type Finding, type Law, LawError, roundoff } from '../law.ts';

/** How to make an engine; each law gets one of its own. */
export interface EngineSubject {
  readonly name: string;
  readonly create: (options: EngineOptions) => Engine | Promise<Engine>;
}

/** What the laws ask of an engine that they are given, besides that it is new. */
export interface EngineOptions {
  /** Host kernels that it must have. */
  readonly modules: readonly HostModule[];
}

export type EngineLaw = Law<EngineSubject>;

/** Runs `body` on a new engine and disposes it, whatever happens. */
export async function onEngine<T>({ create }: EngineSubject, body: (engine: Engine) => T, modules: readonly HostModule[] = []): Promise<T> {
  const engine = await create({ modules });
  try {
    return body(engine);
  } finally {
    if (!engine.disposed) engine.dispose();
  }
}

/** Compiles and runs a program, by the engine's kernels where it has them; outputs are read and disposed. */
export function runProgram(engine: Engine, program: Program, inputs: readonly HostValue[]): readonly HostValue[] {
  const buffers = engine.compile(compileProgram(program, { check: true, kernels: engine.kernels })).run(inputs.map(asInput));
  const values = buffers.map((buffer) => readValue(engine, buffer));
  for (const buffer of buffers) buffer.dispose();
  return values;
}

export function asInput(value: HostValue): { readonly data: HostValue['data']; readonly shape: readonly number[] } {
  return { data: value.data, shape: value.type.shape as readonly number[] };
}

export function readValue(engine: Engine, buffer: DeviceBuffer): HostValue {
  return hostValue(buffer.dtype, buffer.shape, engine.read(buffer) as ArrayLike<number | bigint>);
}

/** One program with inputs, and whether its bits are fixed or only its value. */
export interface EngineCase {
  readonly name: string;
  readonly dtype: DType;
  readonly program: Program;
  readonly inputs: readonly HostValue[];
  readonly bits: boolean;
  /** Reference implementations of operations that have neither traits nor a lowering. */
  readonly operations?: InterpretOptions['operations'];
}

/** Engine against interpreter: bit for bit, or within what a reordered sum may lose. */
export function checkCase(law: string, engine: Engine, { name, program, inputs, bits, operations }: EngineCase): Finding | undefined {
  const values = runProgram(engine, program, inputs);
  const expected = interpretProgram(program, inputs, { arithmetic: bits ? 'exact' : 'wide', ...(operations === undefined ? {} : { operations }) });
  const subject = `${engine.info.name}: ${name}`;
  const findings = expected.map((value, at) => {
    const actual = values[at] as HostValue;
    if (!bits) return compare(law, subject, `output ${at} `, actual, value, 1e4 * roundoff(value));
    const where = actual.type.key === value.type.key ? firstDifference(actual.data, value.data) : undefined;
    if (where === undefined && actual.type.key === value.type.key) return undefined;
    throw new LawError(law, subject, where === undefined ? `output ${at} is ${actual.type.key}, expected ${value.type.key}.` : `output ${at} at ${positionText(value.type, where)} is ${String(actual.data[where])}, expected exactly ${String(value.data[where])}.`);
  });
  return findings.find((finding) => finding !== undefined);
}

/** Throws unless `body` throws a tf error of one of these names; gives the error. */
export function requireError(law: string, subject: string, what: string, names: readonly string[], body: () => unknown): unknown {
  try {
    body();
  } catch (error) {
    const name = error instanceof Error ? error.name : String(error);
    if (names.includes(name)) return error;
    throw new LawError(law, subject, `${what} throws ${name}, expected ${names.join(' or ')}: ${error instanceof Error ? error.message : ''}`, { cause: error });
  }
  throw new LawError(law, subject, `${what} is accepted, expected ${names.join(' or ')}.`);
}
