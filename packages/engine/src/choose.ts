import { type Engine, isTfError, TfError } from '@tf/core';

/** An engine that was not taken, and why. */
export interface Refusal {
  readonly engine: string;
  readonly reason: string;
}

/** What was decided. Its text says it in a line or two. */
export interface Choice {
  readonly engine: string;
  readonly refused: readonly Refusal[];
  readonly text: string;
}

/** What an engine's package exports. */
export interface EnginePackage {
  createEngine(options: object): Promise<Engine>;
}

export interface EngineChoiceOptions {
  /** Names of engines, the best first. Default: `['cpu-blas-native', 'cpu-wasm']`. */
  readonly prefer?: readonly string[];
  /** Options of each engine, its execution modules for instance, by its name. */
  readonly options?: { readonly [engine: string]: object };
  /** Is told what was taken and why not the others. By default one line goes to `console.warn` where the first engine was not taken. */
  readonly tell?: (choice: Choice) => void;
  /** Loads an engine's package; by default those of tf. A bundle that ships without one of them gives this, and so does who has an engine of another name. */
  readonly load?: (engine: string) => Promise<EnginePackage>;
}

const names: readonly string[] = Object.freeze(['prefer', 'options', 'tell', 'load']);

/**
 * The first engine of a list that is installed and runs on this machine: the same program runs on each. An engine is passed over when its package is not installed, or
 * when it says that it cannot run here (`EngineUnavailableError`); any other error, a wrong option for instance, is thrown.
 *
 * @throws ArgumentError for options that are none; EngineUnavailableError with all reasons where no engine of the list runs.
 * @example
 * import { createEngine } from '@tf/engine';
 * const engine = await createEngine({ prefer: ['cpu-wasm'], options: { 'cpu-wasm': { memory: { shared: false } } } });
 * console.log(engine.info.name); // → cpu-wasm
 */
export async function createEngine(options: EngineChoiceOptions = {}): Promise<Engine> {
  checkOptions(options);
  const { prefer = ['cpu-blas-native', 'cpu-wasm'], options: own = {}, tell = warn, load = loadPackage } = options;
  const refused: Refusal[] = [];
  for (const name of prefer) {
    const made = await tryEngine(name, own[name] ?? {}, load);
    if (typeof made !== 'string') {
      tell(choiceOf(name, refused));
      return made;
    }
    refused.push({ engine: name, reason: made });
  }
  throw new TfError('EngineUnavailableError', `createEngine: no engine of ${prefer.join(', ')} runs here.\n${reasonsOf(refused)}\nInstall one of their packages: npm install @tf/engine-cpu-wasm runs everywhere.`, { op: 'createEngine', refused });
}

/** The engine, or why not. */
async function tryEngine(name: string, options: object, load: (engine: string) => Promise<EnginePackage>): Promise<Engine | string> {
  let loaded: EnginePackage;
  try {
    loaded = await load(name);
  } catch (thrown) {
    if (thrown instanceof UnknownEngine) return `this version of @tf/engine knows no engine of this name, but ${Object.keys(packages).join(', ')}; \`load\` can give others`;
    if (!isNotInstalled(thrown, name)) throw thrown;
    return `@tf/engine-${name} is not installed`;
  }
  try {
    return await loaded.createEngine(options);
  } catch (thrown) {
    if (!isTfError(thrown, 'EngineUnavailableError')) throw thrown;
    return thrown.message;
  }
}

/** Each by a plain name, so that bundlers find it. */
const packages: { readonly [engine: string]: () => Promise<unknown> } = Object.freeze({
  'cpu-blas-native': () => import('@tf/engine-cpu-blas-native'),
  'cpu-wasm': () => import('@tf/engine-cpu-wasm'),
});

async function loadPackage(engine: string): Promise<EnginePackage> {
  const found = Object.hasOwn(packages, engine) ? packages[engine] : undefined;
  if (found === undefined) throw new UnknownEngine(engine);
  return (await found()) as EnginePackage;
}

class UnknownEngine extends Error {}

/** Node's error for a package that is not there; one that lacks something itself is broken, which is told. */
function isNotInstalled(thrown: unknown, name: string): boolean {
  const { code, message } = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as { readonly code?: unknown; readonly message?: unknown };
  return (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') && String(message).includes(`@tf/engine-${name}`);
}

function choiceOf(engine: string, refused: readonly Refusal[]): Choice {
  return Object.freeze({ engine, refused: Object.freeze([...refused]), text: `tf runs on ${engine}${refused.length === 0 ? '.' : `, because\n${reasonsOf(refused)}`}` });
}

function reasonsOf(refused: readonly Refusal[]): string {
  return refused.map(({ engine, reason }) => `  ${engine}: ${reason.replaceAll('\n', '\n    ')}`).join('\n');
}

function warn({ refused, text }: Choice): void {
  if (refused.length > 0) (globalThis as { readonly console?: { warn(text: string): void } }).console?.warn(text);
}

function checkOptions(options: unknown): void {
  const wrong = (argument: string, wanted: string): TfError => new TfError('ArgumentError', `createEngine: ${argument} must be ${wanted}.`, { op: 'createEngine', argument });
  if (typeof options !== 'object' || options === null || Array.isArray(options)) throw wrong('options', "an object, e.g. { prefer: ['cpu-blas-native', 'cpu-wasm'] }");
  const unknown = Object.keys(options).filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new TfError('ArgumentError', `createEngine: options has no option ${unknown.join(', ')}. There are: ${names.join(', ')}. Options of an engine go under its name: { options: { 'cpu-wasm': { … } } }.`, { op: 'createEngine', argument: 'options', unknown });
  const { prefer, options: own, tell, load } = options as { readonly [Name in keyof EngineChoiceOptions]: unknown };
  if (prefer !== undefined && !(Array.isArray(prefer) && prefer.length > 0 && prefer.every((name) => typeof name === 'string'))) throw wrong('prefer', "a list of engines' names, e.g. ['cpu-blas-native', 'cpu-wasm']");
  if (own !== undefined && (typeof own !== 'object' || own === null)) throw wrong('options', "an object with each engine's options by its name");
  if (tell !== undefined && typeof tell !== 'function') throw wrong('tell', 'a function');
  if (load !== undefined && typeof load !== 'function') throw wrong('load', 'a function that gives the promise of a package');
}
