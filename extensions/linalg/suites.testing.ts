/** The suites of the family, for the cases of one tier: `npm test` has one of each kind, `pnpm test:slow` all of them. */
import { AdContext, createCatalog } from '@tf/core';
import { createEngine as createNativeEngine } from '@tf/engine-cpu-blas-native';
import { createEngine } from '@tf/engine-cpu-wasm';
import { createReferenceEngine, engineSuite, type EngineSuiteOptions, type ExtensionCase, extensionSuite, reportPresence } from '@tf/testkit';
import { describe, it } from 'vitest';
import { lapackPresence } from './lapack.testing.ts';
import { nativePresence } from './native.testing.ts';
import { referenceOperations } from './reference.testing.ts';
import { linalgExtension } from './src/index.ts';
import { linalgNative } from './src/modules/cpu-blas-native.ts';
import { linalgWasm } from './src/modules/cpu-wasm.ts';
import { linalgHost } from './src/modules/host.ts';

/**
 * Of cases that differ in nothing but dtype and shape, as their names say, one of each dtype: of a shape that none has had yet, or of the next
 * one in turn.
 */
export function oneOfEachKind(cases: readonly ExtensionCase[]): readonly ExtensionCase[] {
  const kinds = new Map<string, ExtensionCase[]>();
  for (const one of cases) {
    const kind = /^.*, (float64|complex128)(?= |$)/.exec(one.name)?.[0] ?? one.name;
    const known = kinds.get(kind);
    if (known === undefined) kinds.set(kind, [one]);
    else known.push(one);
  }
  const tried = new Set<string>();
  const typeOf = ({ name }: ExtensionCase): string => /(float64|complex128)( \d+(x\d+)*)?$/.exec(name)?.[0] ?? name;
  return [...kinds.values()].map((same, at) => {
    const chosen = same.find((one) => !tried.has(typeOf(one))) ?? (same[at % same.length] as ExtensionCase);
    tried.add(typeOf(chosen));
    return chosen;
  });
}

const host = linalgHost();
const operations = referenceOperations(linalgExtension.operations, host);

export function conformance(cases: readonly ExtensionCase[]): void {
  extensionSuite({ describe, it }, { extension: linalgExtension, cases, operations });
}

const sharedBy = (cases: readonly ExtensionCase[]): Pick<EngineSuiteOptions, 'cases' | 'context' | 'operations'> => ({ cases, context: new AdContext({ catalog: createCatalog([linalgExtension]) }), operations });

/** Every kernel on every engine. */
export function engines(cases: readonly ExtensionCase[]): void {
  const shared = sharedBy(cases);
  engineSuite({ describe, it }, { name: 'reference with kernels in JavaScript', create: (options) => createReferenceEngine({ ...options, modules: [...(options?.modules ?? []), host] }), ...shared });
  engineSuite({ describe, it }, { name: 'cpu-wasm with kernels in JavaScript', create: (options) => createEngine({ ...options, modules: [...(options?.modules ?? []), host] }), ...shared });
  if (reportPresence({ it }, lapackPresence)) engineSuite({ describe, it }, { name: 'cpu-wasm with LAPACK', create: (options) => createEngine({ ...options, modules: [...(options?.modules ?? []), host, ...linalgWasm()] }), ...shared });
  nativeEngine(cases);
}

/** Every kernel in the machine's own code. */
export function nativeEngine(cases: readonly ExtensionCase[]): void {
  if (reportPresence({ it }, nativePresence)) engineSuite({ describe, it }, { name: 'cpu-blas-native', create: (options) => createNativeEngine({ ...options, modules: [...(options?.modules ?? []), host, linalgNative()] }), ...sharedBy(cases) });
}
