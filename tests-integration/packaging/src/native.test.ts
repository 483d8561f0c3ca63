import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { reportPresence } from '@tf/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CleanFolder } from './clean-folder.ts';
import { pack } from './packed.ts';

const packages: readonly string[] = ['packages/core', 'packages/traced', 'engines/cpu-blas-native', 'engines/cpu-blas-native-linux-x64', 'extensions/linalg', 'extensions/fft'];
const isPlatform = process.platform === 'linux' && process.arch === 'x64';
const test = reportPresence({ it }, { name: 'platform package', isPresent: isPlatform, remedy: 'packages of platforms are packed on Linux x64 only' }) ? it : it.skip;

interface Said {
  readonly name?: string;
  readonly values?: { readonly product: unknown; readonly solved: readonly (readonly [number])[]; readonly spectrum: { readonly re: number; readonly im: number } };
  readonly libraries?: readonly string[];
  /** Why there is no engine. */
  readonly absent?: string;
}

describe('the native engine and kernels for it, installed from tarballs in a clean folder', { timeout: 600_000 }, () => {
  let outside: CleanFolder | undefined;

  beforeAll(async () => {
    if (!isPlatform) return;
    const packed = await pack(packages);
    outside = new CleanFolder('native');
    await outside.installPacked(packed.packages);
    packed.remove();
  }, 600_000);

  afterAll(() => {
    outside?.remove();
  });

  async function said(): Promise<Said> {
    const { code, output } = await outside!.node('native.mjs');
    expect([code, output]).toEqual([0, output]);
    return JSON.parse(output) as Said;
  }

  test('it runs on what the packages bring, without a compiler and without a script at installation', async () => {
    const { name, values, libraries = [], absent } = await said();
    // Without OpenBLAS there is no engine, and that is all that is missing.
    if (absent !== undefined) return expect(absent).toMatch(/no BLAS and LAPACK/);
    expect(name).toBe('cpu-blas-native');
    expect(values!.product).toEqual([[17, 7], [7, 10]]);
    values!.solved.forEach(([x], i) => {
      expect(x).toBeCloseTo(i + 1, 14);
    });
    expect([values!.spectrum.re, values!.spectrum.im].map((part) => part + 0)).toEqual([4, 0]);
    const inside = (path: string): string => join(outside!.path, 'node_modules/@tf', path);
    expect([...libraries].sort()).toEqual([inside('engine-cpu-blas-native-linux-x64/tf.node'), inside('fft/native-build/fft.so'), inside('linalg/native-build/linalg.so')].sort());
  });

  test('without the package of the platform there is an error that names it', async () => {
    rmSync(join(outside!.path, 'node_modules/@tf/engine-cpu-blas-native-linux-x64'), { recursive: true });
    const { absent } = await said();
    expect(absent).toMatch(/Install @tf\/engine-cpu-blas-native-linux-x64/);
  });
});
