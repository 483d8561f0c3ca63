import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { type Code, add, get, i32, instr, load, loadWord, setGlobal, store } from '../encoder/code.ts';
import type { FunctionScope } from '../encoder/function.ts';
import { type CpuWasmEngine, createEngine, createEngineSync } from '../engine.ts';
import { isWasm, misplaced, withMemory } from './binary.ts';
import { globalImport, moduleBytes, planFor, scale, scaleBytes, scaled, symbol, wasmModule } from './kernels.testing.ts';
import { codeUrl } from './sources.ts';
import type { CodeSource, WasmModule } from './wasm-module.ts';

/** `global.get index` and `unreachable`, which the engine's own code never needs. */
const getGlobal = (index: number): Code => [0x23, index];
const unreachable: Code = 0x00;
const i32Global = (isMutable: boolean, value: number): Code => [0x7f, isMutable ? 1 : 0, i32(value), 0x0b];
const pieceOfData = (offset: Code, bytes: readonly number[]): Code => [0x00, offset, 0x0b, bytes.length, bytes];
const half: readonly number[] = [...new Uint8Array(Float64Array.of(0.5).buffer)];

const use = (engine: CpuWasmEngine): readonly number[] => [...(engine.read(engine.compile(planFor(engine, [[3]], (x) => scaled(x, 2))).run([{ data: Float64Array.of(1, 2, 3), shape: [3] }])[0]!) as Float64Array)];
const memories = [{ shared: true }, { shared: false }];
const refusal = (name: string, message: RegExp): unknown => expect.objectContaining({ name, message: expect.stringMatching(message) as unknown });

/** As {@link scale}, with the factor from static data, and a frame of 16 bytes; traps where x begins with −1. Imports: base, stack pointer. */
function framed(scope: FunctionScope): Code {
  const args = get(scope.parameter(0));
  const x = loadWord(args, 0);
  const y = loadWord(args, 1);
  const at = (of: Code, i: number): Code => add(of, i32(8 * i));
  return [
    setGlobal(1, add(getGlobal(1), i32(-16))),
    store('f64.store', getGlobal(1), load('f64.load', getGlobal(0))),
    [instr('f64.lt', load('f64.load', x), [0x44, 0, 0, 0, 0, 0, 0, 0, 0]), 0x04, 0x40, unreachable, 0x0b],
    [0, 1, 2].map((i) => store('f64.store', at(y, i), instr('f64.mul', load('f64.load', at(x, i)), load('f64.load', getGlobal(1))))),
    setGlobal(1, add(getGlobal(1), i32(16))),
    i32(0),
  ];
}

const framedBytes = (dylink: readonly [number, number] | null = [8, 4]): Uint8Array => moduleBytes({
  imports: [['env', '__memory_base', globalImport(false)], ['env', '__stack_pointer', globalImport(true)]],
  functions: { scale: framed },
  data: [pieceOfData(getGlobal(0), half)],
  ...(dylink === null ? {} : { dylink }),
});

describe.each(memories)('code on a memory, $shared for shared', (memory) => {
  it.each<readonly [string, Code]>([['plain', [0x00, 0x01]], ['plain with a maximum', [0x01, 0x01, 0x10]], ['shared', [0x03, 0x01, 0x10]], ['larger than the memory is', [0x00, 0xff, 0x01]]])('built for a memory that is %s', (_kind, limits) => {
    expect(use(createEngineSync({ memory, modules: [wasmModule(scaleBytes(limits))] }))).toEqual([2, 4, 6]);
  });

  it('with data and a stack, position-independent: each where the engine put it', async () => {
    const engine = await createEngine({ memory, modules: [wasmModule(framedBytes())] });
    expect(use(engine)).toEqual([0.5, 1, 1.5]);
    expect(engine.memory().kinds.modules).toBeGreaterThan(0);
    expect(use(await createEngine({ memory, debug: 'memory', modules: [wasmModule(framedBytes())] }))).toEqual([0.5, 1, 1.5]);
  });
});

test('what a module has no data for is zero', () => {
  const second = (scope: FunctionScope): Code => [[0, 8, 16].map((at) => store('f64.store', add(loadWord(get(scope.parameter(0)), 1), i32(at)), load('f64.load', getGlobal(0), 8))), i32(0)];
  const bytes = moduleBytes({ imports: [['env', '__memory_base', globalImport(false)]], functions: { scale: second }, dylink: [16, 4] });
  expect(use(createEngineSync({ debug: 'memory', modules: [wasmModule(bytes)] }))).toEqual([0, 0, 0]);
});

test('a trap is named with its package; the stack is as it was, so that any number of them does no harm', () => {
  const engine = createEngineSync({ modules: [wasmModule(framedBytes())] });
  const executable = engine.compile(planFor(engine, [[3]], (x) => scaled(x, 2)));
  use(engine);
  const before = engine.stats();
  // The stack of 1 MiB holds 65 536 frames of 16 bytes, and below it other memory.
  for (let time = 0; time < 70_000; time++) {
    try {
      executable.run([{ data: Float64Array.of(-1, 2, 3), shape: [3] }]);
      throw new Error('no trap');
    } catch (thrown) {
      if (time === 0) expect(thrown).toEqual(refusal('EngineFaultError', /^cpu-wasm: the kernel test\.kernels\.v1\.scale of @test\/kernels@1\.2\.3 failed: RuntimeError: unreachable/));
    }
  }
  expect(engine.stats()).toMatchObject({ liveBuffers: before.liveBuffers, bytesInUse: before.bytesInUse });
  expect(use(engine)).toEqual([0.5, 1, 1.5]);
});

describe('code that would write where others are, or that does not fit, is refused by name', () => {
  const cases: readonly (readonly [string, Uint8Array, RegExp])[] = [
    ['data at a fixed address', moduleBytes({ functions: { scale }, data: [pieceOfData(i32(1024), [1, 2])] }), /@test\/kernels@1\.2\.3: its code has data at a fixed address/],
    ['a stack at a fixed address', moduleBytes({ functions: { scale }, globals: [i32Global(true, 65536)] }), /its code has a stack at a fixed address/],
    ['no word of how much memory it needs', framedBytes(null), /imports env\.__memory_base and has no section dylink\.0/],
    ['a section dylink.0 that ends too early', framedBytes([] as never), /dylink\.0 cannot be read: CompileError: it ends too early/],
    ['an import that the engine does not have', moduleBytes({ imports: [['wasi_snapshot_preview1', 'fd_write', [0x00, 0x00]]], functions: { scale } }), /imports the function wasi_snapshot_preview1\.fd_write; the engine has env\.memory/],
    ['a name to be looked up', moduleBytes({ imports: [['GOT.mem', 'table', globalImport(true)]], functions: { scale } }), /-fvisibility=hidden/],
    ['no such export', moduleBytes({ functions: { other: scale } }), /its code exports no function scale\. It exports other/],
    ['broken code', moduleBytes({ functions: { scale: () => [] } }), /its code is refused: CompileError/],
  ];
  it.each(cases)('%s', async (_what, bytes, message) => {
    await expect(createEngine({ modules: [wasmModule(bytes)] })).rejects.toEqual(refusal('ExtensionError', message));
    expect(() => createEngineSync({ modules: [wasmModule(bytes)] })).toThrow(refusal('ExtensionError', message) as Error);
  });

  it('but not the place of a static variable in position-independent code, which a base is added to', () => {
    const globals = [i32Global(true, 4096)];
    expect(misplaced(moduleBytes({ functions: { scale }, globals, dylink: [8, 4] }))).toBeUndefined();
    expect(misplaced(moduleBytes({ functions: { scale }, globals }))).toBe('stack');
  });

  it('but a global that is no stack, and data that lie nowhere, are not', () => {
    const bytes = moduleBytes({ functions: { scale }, globals: [i32Global(true, 0)], data: [[0x01, 2, 7, 7]] });
    expect(misplaced(bytes)).toBeUndefined();
    expect(use(createEngineSync({ modules: [wasmModule(bytes)] }))).toEqual([2, 4, 6]);
  });
});

test('bytes are told apart, and only the memory is changed in them', () => {
  const bytes = scaleBytes();
  expect([isWasm(bytes), isWasm(bytes.subarray(1)), isWasm(new Uint8Array())]).toEqual([true, false, false]);
  expect(withMemory(withMemory(bytes, true), false)).toEqual(withMemory(bytes, false));
  expect(withMemory(bytes, true).length).toBe(bytes.length + 3);
});

describe('where code is read from', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tf-kernels-'));
  const answers: Readonly<Record<string, { readonly status?: number; readonly type: string; readonly body: Uint8Array | string }>> = {
    '/good.wasm': { type: 'application/wasm', body: scaleBytes() },
    '/with-maximum.wasm': { type: 'application/wasm', body: scaleBytes([0x01, 0x01, 0x10]) },
    '/text.wasm': { type: 'text/plain', body: scaleBytes() },
    '/fixed.wasm': { type: 'application/wasm', body: moduleBytes({ functions: { scale }, data: [pieceOfData(i32(1024), [1])] }) },
    '/index.wasm': { type: 'text/html', body: '<!doctype html>' },
    '/page.wasm': { type: 'application/wasm', body: '<!doctype html>' },
  };
  let server: Server;
  let origin = '';
  beforeAll(async () => {
    server = createServer((request, response) => {
      const answer = answers[request.url ?? ''];
      response.writeHead(answer?.status ?? (answer === undefined ? 404 : 200), { 'content-type': answer?.type ?? 'text/plain' }).end(answer?.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    writeFileSync(join(folder, 'scale.wasm'), scaleBytes());
  });
  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });

  it('a file, at once', () => {
    expect(use(createEngineSync({ modules: [wasmModule(pathToFileURL(join(folder, 'scale.wasm')))] }))).toEqual([2, 4, 6]);
  });

  it('a file that is not there, by its name', async () => {
    const options = { modules: [wasmModule(pathToFileURL(join(folder, 'none.wasm')))] };
    expect(() => createEngineSync(options)).toThrow(refusal('ModuleNotLoadedError', /@test\/kernels@1\.2\.3: the code of its kernels, file:.*none\.wasm, could not be loaded: Error: ENOENT/) as Error);
    await expect(createEngine(options)).rejects.toEqual(refusal('ModuleNotLoadedError', /none\.wasm/));
  });

  it('a function, which takes waiting', async () => {
    const options = { modules: [wasmModule(() => Promise.resolve(scaleBytes()))] };
    expect(use(await createEngine(options))).toEqual([2, 4, 6]);
    expect(() => createEngineSync(options)).toThrow(refusal('ModuleNotLoadedError', /Write: const engine = await createEngine\(\{ modules: \[\.\.\.\] \}\)/) as Error);
    await expect(createEngine({ modules: [wasmModule(() => Promise.resolve(5 as never))] })).rejects.toEqual(refusal('ModuleNotLoadedError', /did not resolve to a Uint8Array/));
  });

  it.each(memories)('a server, whatever type it says the code has, for a memory that is shared: $shared', async (memory) => {
    for (const name of ['good', 'with-maximum', 'text']) {
      const module = wasmModule(new URL(`${origin}/${name}.wasm`));
      expect(use(await createEngine({ memory, modules: [module] }))).toEqual([2, 4, 6]);
      expect(() => createEngineSync({ memory, modules: [module] })).toThrow(refusal('ModuleNotLoadedError', /has to be fetched first/) as Error);
    }
  });

  it.each(memories)('a server that has something else: the URL is named, and what came, for a memory that is shared: $shared', async (memory) => {
    const of = (name: string): Promise<unknown> => createEngine({ memory, modules: [wasmModule(new URL(`${origin}/${name}.wasm`))] });
    await expect(of('none')).rejects.toEqual(refusal('ModuleNotLoadedError', /none\.wasm, could not be loaded: the server answered 404/));
    for (const name of ['index', 'page']) await expect(of(name)).rejects.toEqual(refusal('ModuleNotLoadedError', new RegExp(`${name}\\.wasm, could not be loaded: it begins with 3c 21 64 6f .*"<!doctyp"`)));
    await expect(of('fixed')).rejects.toEqual(refusal('ExtensionError', /fixed address/));
  });

  it.each(memories)('the first of several that has it, for a memory that is shared: $shared', async (memory) => {
    const engine = async (...code: readonly CodeSource[]): Promise<unknown> => use(await createEngine({ memory, modules: [wasmModule(code)] }));
    const none = pathToFileURL(join(folder, 'none.wasm'));
    const noUrl = (): URL => new URL('scale.wasm', 'no base');
    for (const missing of [none, noUrl, new URL(`${origin}/none.wasm`), new URL(`${origin}/index.wasm`), new URL('http://127.0.0.1:1/'), () => Promise.reject(new Error('no chunk')), () => 5 as never, Uint8Array.of(1, 2)]) {
      expect(await engine(missing, () => Promise.resolve(scaleBytes()))).toEqual([2, 4, 6]);
      expect(await engine(missing, () => pathToFileURL(join(folder, 'scale.wasm')))).toEqual([2, 4, 6]);
    }
    const never = (): never => {
      throw new Error('asked for though the first gave it');
    };
    expect(await engine(() => new URL(`${origin}/good.wasm`), never)).toEqual([2, 4, 6]);
    expect(use(createEngineSync({ memory, modules: [wasmModule([none, noUrl, () => scaleBytes(), never])] }))).toEqual([2, 4, 6]);
  });

  it('and where none of several has it, every reason is said; code that is refused is no reason to look further', async () => {
    const none = pathToFileURL(join(folder, 'none.wasm'));
    const options = (...code: readonly CodeSource[]): { readonly modules: readonly WasmModule[] } => ({ modules: [wasmModule(code)] });
    const text = (): Promise<Uint8Array> => Promise.reject(new Error('no chunk'));
    await expect(createEngine(options(none, text))).rejects.toEqual(refusal('ModuleNotLoadedError', /kernels, file:.*none\.wasm, could not be loaded: Error: ENOENT.*; nor from code\(\): Error: no chunk\. Its files/));
    expect(() => createEngineSync(options(none, () => new URL('a', 'b')))).toThrow(refusal('ModuleNotLoadedError', /ENOENT.*; nor from code\(\): TypeError/) as Error);
    expect(() => createEngineSync(options(none, text))).toThrow(refusal('ModuleNotLoadedError', /has to be fetched first, which takes waiting/) as Error);
    await expect(createEngine(options(new URL(`${origin}/fixed.wasm`), () => scaleBytes()))).rejects.toEqual(refusal('ExtensionError', /fixed address/));
  });

  it('is said by the first source, when that is a file or an address', () => {
    const url = pathToFileURL(join(folder, 'scale.wasm'));
    expect([url, [url, scaleBytes()], [() => url, () => Promise.reject(new Error('not asked'))]].map((code) => codeUrl(wasmModule(code)))).toEqual([url, url, url]);
    expect([scaleBytes(), [scaleBytes(), url], () => Promise.resolve(scaleBytes())].map((code) => codeUrl(wasmModule(code)))).toEqual([undefined, undefined, undefined]);
  });

  it('nothing that code could be read from', () => {
    expect(() => createEngineSync({ modules: [wasmModule('scale.wasm' as never)] })).toThrow(refusal('ExtensionError', /its code must be a URL, a Uint8Array, a function that gives one/) as Error);
    expect(() => createEngineSync({ modules: [wasmModule([])] })).toThrow(refusal('ExtensionError', /or a list of these/) as Error);
    expect(() => createEngineSync({ modules: [wasmModule([scaleBytes(), 5 as never])] })).toThrow(refusal('ExtensionError', /or a list of these/) as Error);
  });
});

test('one kernel, by name: what runs is the code', () => {
  expect([...createEngineSync({ modules: [wasmModule(scaleBytes())] }).kernels!]).toEqual([symbol]);
});
