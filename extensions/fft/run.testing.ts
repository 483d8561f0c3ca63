/** Functions of the package carried out by an engine, without a front end. */
import { existsSync } from 'node:fs';
import { type BoundInput, compileProgram, type Engine, isTfError, type EngineInput, hostForm, type HostForm, type Operand, tensorType, type TypedArray } from '@tf/core';
import { createEngineSync as createNativeEngine } from '@tf/engine-cpu-blas-native';
import { codeUrl, createEngine } from '@tf/engine-cpu-wasm';
import { type HostValue, type Presence, programOf, type VarFunction } from '@tf/testkit';
import { fftNative } from './src/modules/cpu-blas-native.ts';
import { fftWasm } from './src/modules/cpu-wasm.ts';
import { fftHost } from './src/modules/host.ts';

/** What a function gives for these values. */
export function runOn(engine: Engine, f: VarFunction, inputs: readonly HostValue[]): readonly TypedArray[] {
  const program = programOf(f, inputs.map(({ type }) => tensorType(type.dtype, type.shape)));
  const executable = engine.compile(compileProgram(program, engine.kernels === undefined ? {} : { kernels: engine.kernels }));
  const given: readonly EngineInput[] = inputs.map(({ type, data }) => ({ data, shape: type.shape as readonly number[] }));
  const outputs = executable.run([...given, ...program.bound.map(boundInput)]);
  return outputs.map((output) => {
    const data = engine.read(output);
    output.dispose();
    return data;
  });
}

/** A number, or the data of a host tensor. */
export function boundInput({ variable, value }: BoundInput): EngineInput {
  if (typeof value === 'number') return value;
  return { data: (hostForm(value as Operand) as Extract<HostForm, { form: 'data' }>).data, shape: variable.type.shape as readonly number[] };
}

/** Whether the kernels in WebAssembly were built, for `reportPresence`. */
export const fftWasmPresence: Presence = { name: 'fft-wasm', isPresent: existsSync(codeUrl(fftWasm())!), remedy: 'node scripts/kernels.mjs extensions/fft builds it; `pnpm install` brings the compiler, @yowasp/clang' };

/** Whether the kernels in the machine's own code can run. */
export const fftNativePresence: Presence = nativePresence();

function nativePresence(): Presence {
  const name = 'fft-native';
  if (!existsSync(fftNative().library)) return { name, isPresent: false, remedy: 'node scripts/kernels.mjs extensions/fft builds it, or says what it needs' };
  try {
    createNativeEngine().dispose();
    return { name, isPresent: true, remedy: '' };
  } catch (thrown) {
    if (!isTfError(thrown, 'EngineUnavailableError')) throw thrown;
    return { name, isPresent: false, remedy: thrown.message };
  }
}

/** The engine that users have, with its own kernels where they were built and those in JavaScript elsewhere. */
export async function openEngine(): Promise<Engine> {
  return createEngine({ modules: [fftWasmPresence.isPresent ? fftWasm() : fftHost()] });
}
