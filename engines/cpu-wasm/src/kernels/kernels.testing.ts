/** Modules of kernels for tests, made by the engine's own encoder: no toolchain is needed. */
import { applyOperation, type Atom, Builder, compileProgram, type Engine, type HostKernel, type HostModule, type Operand, type Operation, type Plan, type Shape, tensorType, type Var } from '@tf/core';
import { add, type Code, forLoop, get, i32, ifElse, instr, load, loadWord, type Local, mul, set, store } from '../encoder/code.ts';
import { flatten } from '../encoder/flatten.ts';
import { FunctionScope } from '../encoder/function.ts';
import { unsigned } from '../encoder/leb.ts';
import type { WasmKernel, WasmModule } from './wasm-module.ts';

export const family = 'test.kernels.v1';
export const symbol: string = `${family}.scale`;

// ---------------------------------------------------------------- modules, byte by byte

export interface Parts {
  /** Limits of the memory import: flags, minimum, maximum. */
  readonly memory?: Code;
  /** Further imports: module, name, description. */
  readonly imports?: readonly (readonly [string, string, Code])[];
  readonly globals?: readonly Code[];
  /** Kernels by the names under which they are exported. */
  readonly functions: Readonly<Record<string, (scope: FunctionScope) => Code>>;
  readonly data?: readonly Code[];
  /** Bytes and log2 of the alignment of its static data. */
  readonly dylink?: readonly [number, number];
}

export const globalImport = (isMutable: boolean): Code => [0x03, 0x7f, isMutable ? 1 : 0];

/** Globals are numbered from the imported ones on. */
export function moduleBytes({ memory = [0x00, 0x01], imports = [], globals = [], functions, data = [], dylink }: Parts): Uint8Array {
  const names = Object.keys(functions);
  const codes = names.map((name) => {
    const scope = new FunctionScope(['i32'], ['i32']);
    return scope.encode(functions[name]!(scope));
  });
  return flatten([
    [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    dylink === undefined ? [] : section(0, [text('dylink.0'), 1, unsigned(4), dylink, 0, 0]),
    list(1, [[0x60, 1, 0x7f, 1, 0x7f]]),
    list(2, [[text('env'), text('memory'), 0x02, memory], ...imports.map(([from, name, kind]): Code => [text(from), text(name), kind])]),
    list(3, names.map(() => 0)),
    list(6, globals),
    list(7, names.map((name, at) => [text(name), 0x00, at])),
    list(10, codes),
    list(11, data),
  ]);
}

function section(id: number, content: Code): Code {
  const bytes = flatten(content);
  return [id, unsigned(bytes.length), bytes];
}

function list(id: number, entries: readonly Code[]): Code {
  return entries.length === 0 ? [] : section(id, [unsigned(entries.length), ...entries]);
}

function text(value: string): Code {
  return [unsigned(value.length), [...value].map((character) => character.charCodeAt(0))];
}

// ---------------------------------------------------------------- kernels: y = x·factor, the factor from the tables

const element = (address: Code, i: Local): Code => add(address, mul(get(i), i32(8)));
const factor = (args: Code): Code => load('f64.load', loadWord(args, 3));

/** `(x, y, workspace, tables, n)`; the first NaN is an element without a result. */
export function scale(scope: FunctionScope): Code {
  const args = get(scope.parameter(0));
  const [i, failed, n, value] = [scope.local('i32'), scope.local('i32'), scope.local('i32'), scope.local('f64')];
  return [
    set(n, loadWord(args, 4)),
    forLoop(i, get(n), 1, [
      set(value, load('f64.load', element(loadWord(args, 0), i))),
      store('f64.store', element(loadWord(args, 1), i), instr('f64.mul', get(value), factor(args))),
      ifElse(instr('i32.and', instr('f64.ne', get(value), get(value)), instr('i32.eqz', get(failed))), set(failed, add(get(i), i32(1)))),
    ]),
    get(failed),
  ];
}

export const scaleBytes = (memory?: Code): Uint8Array => moduleBytes({ functions: { scale }, ...(memory === undefined ? {} : { memory }) });

export const tables = (integers: readonly number[]): Float64Array => Float64Array.of(integers[1]!);

export function wasmModule(code: WasmModule['code'], changes: Partial<WasmModule> = {}, kernel: Partial<WasmKernel> = {}): WasmModule {
  return { contract: 1, family, package: '@test/kernels', version: '1.2.3', engine: 'cpu-wasm', code, kernels: { [symbol]: { export: 'scale', tables, failure: 'the value is not a number', ...kernel } }, ...changes };
}

export const scaleOnHost: HostKernel = {
  tables,
  failure: 'the value is not a number',
  run({ inputs: [x], outputs: [y], integers, tables: given }) {
    if (integers[0] !== x!.length) throw new Error(`${x!.length} elements, and the integers [${integers.join()}]`);
    let failed: number | undefined;
    for (let i = 0; i < x!.length; i++) {
      y![i] = (x![i] as number) * (given![0] as number);
      if (Number.isNaN(x![i])) failed ??= i;
    }
    return failed;
  },
};

export function hostModule(kernel: Partial<HostKernel> = {}, changes: Partial<HostModule> = {}): HostModule {
  return { contract: 1, family, package: '@test/kernels', version: '1.2.3', engine: 'host', kernels: { [symbol]: { ...scaleOnHost, ...kernel } }, ...changes };
}

// ---------------------------------------------------------------- programs

export const scaling: Operation = {
  id: symbol, family, name: 'scale',
  infer: ([x]) => [x!],
  traits: { call: ({ by }, [x]) => ({ symbol, integers: [x!.shape.at(-1) ?? 1, by as number], workspace: 40 }) },
};

/** The last axis times a number; every other axis must be 1. */
export const scaled = (x: Operand, by: number): Operand => applyOperation(scaling, [x], { by })[0] as unknown as Operand;

export function planFor(engine: Pick<Engine, 'kernels'>, shapes: readonly Shape[], f: (...inputs: readonly Operand[]) => unknown): Plan {
  const builder = new Builder();
  const result = f(...shapes.map((shape) => builder.input(tensorType('float64', shape)) as Var as Operand));
  return compileProgram(builder.build((Array.isArray(result) ? result : [result]) as readonly Atom[]), { check: true, kernels: engine.kernels });
}
