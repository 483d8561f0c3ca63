import type { HostModule } from '@tf/core';
import type { WasmModule } from '@tf/engine-cpu-wasm';
import { expect, it } from 'vitest';
import { builtOr } from './engines.ts';

const shared = { contract: 1, family: 'acme.signal.v1', package: '@acme/signal', version: '1.0.0', kernels: {} } as const;
const host: HostModule = { ...shared, engine: 'host' };
const wasm = (code: URL): WasmModule => ({ ...shared, engine: 'cpu-wasm', code });

it('kernels that were not built give way to those in JavaScript, but not where they are required', () => {
  const [here, nowhere] = [wasm(new URL(import.meta.url)), wasm(new URL('nowhere.wasm', import.meta.url))];
  expect(builtOr('acme-wasm', [here], host, 'acme-wasm')).toEqual([here]);
  expect(builtOr('acme-wasm', [here, nowhere], host, 'cpu-wasm')).toEqual([host]);
  expect(() => builtOr('acme-wasm', [nowhere], host, 'cpu-wasm, acme-wasm')).toThrow('the kernels acme-wasm are absent and required (TF_REQUIRE)');
});
