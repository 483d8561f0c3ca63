/** Execution modules as engines take them: checked, and their kernels by symbol. For authors of engines. */
import type { CallStep, ExecutionModule, HostKernel } from '../contract.ts';
import { isTfError, TfError } from '../errors.ts';
import { describe, wrongArgument } from '../types/argument.ts';
import { arrayConstructor, type DType, dtypes, type TypedArray } from '../types/dtype.ts';
import { contractVersion, coreVersion } from '../types/version.ts';

/** A kernel and who supplies it. */
export interface RegisteredKernel {
  readonly symbol: string;
  readonly module: ExecutionModule;
  readonly kernel: unknown;
}

/** The module's engine where a kernel runs on every CPU engine. */
const HOST = 'host';

/**
 * The kernels that an engine of this name runs, by symbol: those that are made for it, and host kernels where it has none of
 * its own. `isOwn` says whether what a module for this engine gives is a kernel.
 *
 * @throws ArgumentError for what is no module; ExtensionError for one that speaks another contract or is made for another
 * engine, for a kernel that is none, and for two kernels with one symbol.
 * @example
 * import { type ExecutionModule, registerModules } from '@tf/core';
 * const module: ExecutionModule = { contract: 1, family: 'acme.signal.v1', package: '@acme/signal', version: '1.0.0', engine: 'host', kernels: { 'acme.signal.v1.halve': { run: () => undefined } } };
 * console.log([...registerModules('cpu-wasm', [module]).keys()]); // → [ 'acme.signal.v1.halve' ]
 */
export function registerModules(engine: string, modules: readonly ExecutionModule[], isOwn: (kernel: unknown) => boolean = () => false): ReadonlyMap<string, RegisteredKernel> {
  if (!Array.isArray(modules)) throw wrongArgument('createEngine', 'modules', modules, 'a list of execution modules', 'Write createEngine({ modules: [fftHost()] }).');
  const kernels = new Map<string, RegisteredKernel>();
  modules.forEach((module: unknown, at) => requireModule(module, at));
  for (const module of modules as readonly ExecutionModule[]) {
    checkModule(engine, module);
    for (const [symbol, kernel] of Object.entries(module.kernels)) {
      checkKernel(module, symbol, module.engine === HOST ? isHostKernel(kernel) : isOwn(kernel));
      const other = kernels.get(symbol);
      if (other !== undefined && other.module.engine === module.engine) throw refused(module, `the kernel ${symbol} is already supplied by ${nameOf(other.module)}. Give one of the two to createEngine`, { symbol, other: nameOf(other.module) });
      if (other === undefined || module.engine !== HOST) kernels.set(symbol, { symbol, module, kernel });
    }
  }
  return kernels;
}

function requireModule(module: unknown, at: number): asserts module is ExecutionModule {
  const { family, package: owner, version, familyVersion, engine, kernels } = (typeof module === 'object' && module !== null ? module : {}) as Partial<Record<keyof ExecutionModule, unknown>>;
  if ([family, owner, version, engine].every((text) => typeof text === 'string') && (familyVersion === undefined || typeof familyVersion === 'string') && typeof kernels === 'object' && kernels !== null) return;
  const remedy = typeof module === 'function' ? 'Call it: a package exports functions that make its modules.' : undefined;
  throw wrongArgument('createEngine', `modules[${at}]`, module, 'an execution module: { contract, family, package, version, engine, kernels }', remedy);
}

function checkModule(engine: string, module: ExecutionModule): void {
  const { contract, family } = module;
  if (contract !== contractVersion) throw refused(module, `speaks contract ${String(contract)}, this is @tf/core ${coreVersion} with contract ${contractVersion}. Install versions that fit`);
  if (module.engine !== engine && module.engine !== HOST) throw refused(module, `its kernels are for the engine ${module.engine}, this is ${engine}. Take the module of ${module.package} for ${engine}, or its host kernels`, { engine });
  if (!/^[a-z][\w-]*(\.[\w-]+)+$/.test(family)) throw refused(module, `the family id ${JSON.stringify(family)} must begin with its owner's prefix, e.g. acme.signal.v1`);
}

function checkKernel(module: ExecutionModule, symbol: string, isKernel: boolean): void {
  if (!symbol.startsWith(`${module.family}.`)) throw refused(module, `the kernel ${symbol} does not belong to the family ${module.family}, with which its symbol must begin`, { symbol });
  if (!isKernel) throw refused(module, `what it has under ${symbol} is no kernel for ${module.engine}`, { symbol });
}

function isHostKernel(kernel: unknown): kernel is HostKernel {
  const { run, tables, tableIntegers, failure, failureError } = (typeof kernel === 'object' && kernel !== null ? kernel : {}) as Partial<Record<keyof HostKernel, unknown>>;
  return typeof run === 'function' && (tables === undefined || typeof tables === 'function') && (tableIntegers === undefined || Array.isArray(tableIntegers)) && (failure === undefined || typeof failure === 'string') && isFailureError(failureError);
}

/** Whether this names an error that an element without a result can be, or leaves it at the usual one. */
export function isFailureError(name: unknown): boolean {
  return name === undefined || name === 'KernelError' || name === 'LinalgError';
}

function nameOf({ package: owner, version }: ExecutionModule): string {
  return `${owner}@${version}`;
}

function refused(module: ExecutionModule, why: string, fields: Readonly<Record<string, unknown>> = {}): TfError {
  return new TfError('ExtensionError', `createEngine: ${nameOf(module)}: ${why}.`, { family: module.family, package: module.package, version: module.version, ...fields });
}

/** The error for an element of a batch for which a kernel found no result. */
export function kernelError({ symbol, kernel }: Pick<RegisteredKernel, 'symbol' | 'kernel'>, batchIndex: number): TfError {
  const { failure = 'there is no result for it', failureError = 'KernelError' } = kernel as Pick<HostKernel, 'failure' | 'failureError'>;
  return new TfError(failureError, `${symbol}: element ${batchIndex} of the batch: ${failure}. All other elements were computed; leave this one out, or change it.`, { op: symbol, batchIndex });
}

/**
 * The kernel that a step calls. Engines ask for it before anything of a plan runs.
 *
 * @throws UnsupportedOnEngineError when no module has it, ExtensionError when it was made for another version of the operation.
 */
export function requireKernel(engine: string, kernels: ReadonlyMap<string, RegisteredKernel>, { symbol, package: owner, version }: Pick<CallStep, 'symbol' | 'package' | 'version'>): RegisteredKernel {
  const registered = kernels.get(symbol);
  if (registered === undefined) throw noKernel(engine, symbol);
  const { module } = registered;
  const madeFor = module.familyVersion ?? (module.package === owner ? module.version : undefined);
  if (version === undefined || madeFor === undefined || madeFor === version) return registered;
  const family = owner ?? module.family;
  const remedy = module.package === owner ? `Have one version installed: npm ls ${family} shows where they come from` : `Install a version of ${module.package} that is made for ${family} ${version}`;
  throw new TfError('ExtensionError', `${engine}: the kernel ${symbol} of ${nameOf(module)} is made for ${family} ${madeFor}, and the operation is of ${family} ${version}. ${remedy}.`, { engine, op: symbol, family: module.family, package: module.package, versions: [version, madeFor] });
}

/** The error for a plan that calls a kernel which the engine does not have. */
function noKernel(engine: string, symbol: string): TfError {
  return new TfError('UnsupportedOnEngineError', `${engine}: the plan calls the kernel ${symbol}, and no execution module of this engine has it. Compile with { kernels: engine.kernels }, or give createEngine({ modules: [...] }) the module of its family.`, { engine, op: symbol });
}

/** The error for a kernel that threw, trapped, or gave what no kernel gives: whose it is. */
export function kernelFault(engine: string, { symbol, module }: Pick<RegisteredKernel, 'symbol' | 'module'>, thrown: unknown): TfError {
  return new TfError('EngineFaultError', `${engine}: the kernel ${symbol} of ${nameOf(module)} failed: ${String(thrown)}. This is a fault of that package: please report it there.`, { engine, op: symbol, package: module.package, version: module.version }, { cause: thrown });
}

/**
 * What a part of a kernel gives; whatever it throws is a fault of its package, but for errors of tf.
 *
 * @throws EngineFaultError that names the kernel and its package.
 */
export function callKernel<T>(engine: string, kernel: Pick<RegisteredKernel, 'symbol' | 'module'>, call: () => T): T {
  try {
    return call();
  } catch (thrown) {
    throw isTfError(thrown) ? thrown : kernelFault(engine, kernel, thrown);
  }
}

/** The first element of the batch without a result, of what a host kernel's `run` gave; EngineFaultError for what says nothing. */
export function failedElement(engine: string, kernel: Pick<RegisteredKernel, 'symbol' | 'module'>, given: unknown): number | undefined {
  if (given === undefined) return undefined;
  if (typeof given === 'number' && Number.isSafeInteger(given) && given >= 0) return given;
  throw kernelFault(engine, kernel, `its run gave ${describe(given)}; it gives nothing, or the index of the first element of the batch without a result, and has written its outputs when it returns`);
}

/** The tables of a kernel for these integers; EngineFaultError where it throws or gives anything but a typed array or nothing. */
export function kernelTables(engine: string, registered: RegisteredKernel, integers: readonly number[]): TypedArray | undefined {
  const kernel = registered.kernel as Pick<HostKernel, 'tables'>;
  const data: unknown = callKernel(engine, registered, () => kernel.tables?.(integers));
  if (data === undefined || isTypedArray(data)) return data;
  throw kernelFault(engine, registered, `its tables gave ${describe(data)}; it gives a typed array of a dtype, or nothing`);
}

function isTypedArray(data: unknown): data is TypedArray {
  return (Object.keys(dtypes) as DType[]).some((dtype) => data instanceof arrayConstructor(dtype));
}
