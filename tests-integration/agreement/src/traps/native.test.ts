/** Processes and worker threads that use the native engine hard: they go on, or end as they were told to, and never crash. */
import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reportPresence } from '@tf/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nativePresence } from '../native-presence.testing.ts';
import { type Bundle, bundle } from './bundle.testing.ts';

const addon = fileURLToPath(new URL('../../../../engines/cpu-blas-native/build/tf.node', import.meta.url));
const timeout = 100_000;

/** In a script: `open(options)` makes an engine, `slow(engine)` a plan of some tenths of a second and its inputs. */
const prelude = (path: string): string => `
  import { core, native } from './native.mjs';
  import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
  import { fileURLToPath } from 'node:url';
  const addon = ${JSON.stringify(path)};
  const open = (options = {}) => native.createEngineSync({ addon, threads: 1, ...options });
  const slow = (engine, steps = 60) => {
    const builder = new core.Builder();
    const x = builder.input(core.tensorType('float64', [300, 300]), 'x');
    let y = core.matmul(x, x);
    for (let i = 0; i < steps; i++) y = core.mul(core.matmul(y, x), 0.01);
    return { executable: engine.compile(core.compileProgram(builder.build([y]))), inputs: [{ data: Float64Array.from({ length: 90000 }, (_, i) => Math.sin(i)), shape: [300, 300] }] };
  };
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
`;

if (reportPresence({ it }, nativePresence())) {
  let bundled: Bundle;
  beforeAll(async () => {
    bundled = await bundle('native');
  }, 300_000);
  afterAll(() => bundled.remove());
  const run = (script: string, path: string = addon): string => bundled.run(`${prelude(path)}${script}`);

  describe('worker threads', () => {
    it.each(['run', 'runAsync'])('a worker that is killed in the middle of %s: the others go on', { timeout }, (method) => {
      const printed = run(`
        if (isMainThread) {
          const engine = open();
          const { executable, inputs } = slow(engine, 5);
          const expected = engine.read(executable.run(inputs)[0]).join();
          for (const ms of [0, 3, 10, 40]) {
            const worker = new Worker(fileURLToPath(import.meta.url));
            await new Promise((begun) => worker.once('message', begun));
            const own = executable.runAsync(inputs);
            await wait(ms);
            await worker.terminate();
            if (engine.read((await own)[0]).join() !== expected) throw new Error('wrong');
          }
          if (engine.read(executable.run(inputs)[0]).join() !== expected) throw new Error('wrong');
          console.log('went on');
        } else {
          const { executable, inputs } = slow(open());
          parentPort.postMessage('begun');
          for (;;) await Promise.all([executable.${method}(inputs), executable.${method}(inputs)]);
        }
      `);
      expect(printed).toBe('went on\n');
    });

    it('two workers that open the library at once, and the main thread after they have gone: the same results', { timeout }, () => {
      const printed = run(`
        const result = () => {
          const engine = open();
          const { executable, inputs } = slow(engine, 5);
          return engine.read(executable.run(inputs)[0]).join();
        };
        if (isMainThread) {
          const started = [1, 2, 3].map(() => new Worker(fileURLToPath(import.meta.url)));
          const results = await Promise.all(started.map((worker) => new Promise((done, failed) => worker.once('message', done).once('error', failed))));
          await Promise.all(started.map((worker) => worker.terminate()));
          console.log(new Set([...results, result()]).size);
        } else parentPort.postMessage(result());
      `);
      expect(printed).toBe('1\n');
    });
  });

  describe('a process', () => {
    it('ends at once when it is told to, with runs in the background', { timeout }, () => {
      expect(run(`
        const { executable, inputs } = slow(open());
        for (let i = 0; i < 3; i++) void executable.runAsync(inputs);
        await wait(20);
        console.log('leaves');
        process.exit(0);
      `)).toBe('leaves\n');
    });

    it('two copies of the package and of the library: each works, with the threads that it was given', { timeout }, () => {
      copyFileSync(addon, join(bundled.folder, 'copy.node'));
      expect(run(`
        import * as other from './native.mjs?copy=2';
        const engines = [open(), other.native.createEngineSync({ addon: ${JSON.stringify(join(bundled.folder, 'copy.node'))}, threads: 2 })];
        const results = [];
        for (let i = 0; i < 3; i++) for (const engine of engines) {
          const { executable, inputs } = slow(engine, 3);
          results.push([engine.read(executable.run(inputs)[0]).join(), engine.read((await executable.runAsync(inputs))[0]).join()]);
        }
        console.log(engines[0].constructor !== engines[1].constructor, new Set(results.filter((_, i) => i % 2 === 0).flat()).size, new Set(results.filter((_, i) => i % 2 === 1).flat()).size);
        try { engines[0].compile(slow(engines[1], 1).executable.plan).run([engines[1].upload('float64', [300, 300], new Float64Array(90000))]); } catch (error) { console.log(error.name); }
      `)).toBe('true 1 1\nForeignValueError\n');
    });
  });

  describe('a library that is no library', () => {
    const spoil: Readonly<Record<string, (path: string) => void>> = {
      'is empty': (path) => truncateSync(path, 0),
      'is text': (path) => writeFileSync(path, 'this is no library'),
      'ends early': (path) => truncateSync(path, Math.floor(readFileSync(path).length / 2)),
      'lacks its last byte': (path) => truncateSync(path, readFileSync(path).length - 1),
      'has a header of noise': (path) => {
        const bytes = readFileSync(path);
        for (let i = 16; i < 64; i++) bytes[i] = (i * 37) & 255;
        writeFileSync(path, bytes);
      },
      'is for another machine': (path) => {
        const bytes = readFileSync(path);
        bytes[18] = 0xb7;
        writeFileSync(path, bytes);
      },
    };
    it.each(Object.keys(spoil))('that %s: an EngineUnavailableError', { timeout }, (name) => {
      const path = join(bundled.folder, `${name.replaceAll(' ', '-')}.node`);
      copyFileSync(addon, path);
      spoil[name]!(path);
      expect(run(`
        try { open(); console.log('opened'); } catch (error) { console.log(error.name); }
        try { open({ addon: import.meta.url }); } catch (error) { console.log(error.name); }
      `, path)).toBe('EngineUnavailableError\nEngineUnavailableError\n');
    });
  });
}
