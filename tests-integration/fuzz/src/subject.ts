import { AdContext, type Catalog, createCatalog, type Engine, parseProgram, type Pass, passes, type Program } from '@tf/core';
import { EagerRuntime } from '@tf/eager';
import { createEngineSync } from '@tf/engine-cpu-wasm';
import { Machine } from './machine.ts';

/** What is under test; each part can be replaced by a wrong one. */
export interface SubjectOptions {
  readonly catalog?: Catalog;
  /** Rules of the eager front end, when they are not those of `catalog`. */
  readonly eagerCatalog?: Catalog;
  readonly passes?: readonly Pass[];
  readonly engine?: Engine;
  readonly parse?: (text: string, catalog: Catalog) => Program;
}

export interface Subject {
  readonly catalog: Catalog;
  readonly context: AdContext;
  readonly runtime: EagerRuntime;
  readonly passes: readonly Pass[];
  readonly machine: Machine;
  readonly parse: (text: string, catalog: Catalog) => Program;
}

/** Core's catalog and passes on cpu-wasm, but for what is given. */
export function createSubject(options: SubjectOptions = {}): Subject {
  const { catalog = createCatalog(), eagerCatalog } = options;
  const context = new AdContext({ catalog });
  return {
    catalog,
    context,
    runtime: new EagerRuntime({ context: eagerCatalog === undefined ? context : new AdContext({ catalog: eagerCatalog }), maximumOperations: 4096 }),
    passes: options.passes ?? passes,
    machine: new Machine(options.engine ?? createEngineSync()),
    parse: options.parse ?? parseProgram,
  };
}
