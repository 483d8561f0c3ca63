/** Functions that authors of operations and rules write: whatever goes wrong in them is said in the name of the operation and its package. */
import type { Atom, Operation } from '../contract.ts';
import { isTfError, TfError } from '../errors.ts';
import { describe } from '../types/argument.ts';

/** Parts of a rule, of an operation, and of its traits. */
export type AuthoredPart = 'infer' | 'linearize' | 'transpose' | 'vjp' | 'halfSquare' | 'batch' | 'augment' | 'lower' | 'elementwise' | 'traits' | 'call' | 'prune' | 'covers' | 'join';

/**
 * What an author's function gives.
 *
 * @throws ExtensionError for what it throws that is no error of tf, and the ForeignValueError of values that it should not have; both name
 * operation, part and package.
 */
export function authored<T>(operation: Operation, part: AuthoredPart, run: () => T): T {
  try {
    return run();
  } catch (thrown) {
    throw authorsFault(operation, part, thrown);
  }
}

/** The error to throw on for what an author's function threw. */
export function authorsFault(operation: Operation, part: AuthoredPart, thrown: unknown): unknown {
  if (!isTfError(thrown)) return new TfError('ExtensionError', `${operation.id}: ${partText(part)} failed: ${String(thrown)}. This is a fault of ${ownerOf(operation)}: please report it there.`, fieldsOf(operation, part), { cause: thrown });
  if (thrown.name !== 'ForeignValueError' || thrown.fields.role !== undefined) return thrown;
  return new TfError('ForeignValueError', `${operation.id}: in ${partText(part)}, ${thrown.message} This is a fault of ${ownerOf(operation)}: please report it there.`, { ...thrown.fields, ...fieldsOf(operation, part) }, { cause: thrown });
}

/** The error for a result that is a value of another program. `place`: `input 0`. */
export function foreignResult(operation: Operation, part: AuthoredPart, { type }: Pick<Atom, 'type'>, place: string): TfError {
  return new TfError('ForeignValueError', `${operation.id}: ${partText(part)} gave a value ${type.key} of another program for ${place}: one that it kept from another call, or took from outside. Make it of what this call is handed. This is a fault of ${ownerOf(operation)}: please report it there.`, { ...fieldsOf(operation, part), type: type.key });
}

/** The error for a result that is no result of this part. */
export function wrongPart(operation: Operation, part: AuthoredPart, what: string, takes: string, fields: Readonly<Record<string, unknown>> = {}): TfError {
  return new TfError('ExtensionError', `${operation.id}: ${partText(part)} ${what}. ${takes}.`, { ...fieldsOf(operation, part), ...fields });
}

/** Whether this can be an operation: what has other slips says so later, by its name. */
export function isOperation(value: unknown): value is Operation {
  const { id, family, name, infer, traits } = (typeof value === 'object' && value !== null ? value : {}) as Partial<Record<keyof Operation, unknown>>;
  return [id, family, name].every((text) => typeof text === 'string') && typeof infer === 'function' && typeof traits === 'object' && traits !== null;
}

/** Refuses what names no operation to run instead. */
export function requireNamed(operation: Operation, part: AuthoredPart, found: unknown): void {
  const { operation: named, params } = (typeof found === 'object' && found !== null ? found : {}) as { readonly operation?: unknown; readonly params?: unknown };
  const takes = 'It gives { operation, params, … }, or undefined';
  if (!isOperation(named)) throw wrongPart(operation, part, typeof found === 'object' && found !== null ? `names as operation ${describe(named)}` : `gave ${describe(found)}`, takes);
  if (typeof params !== 'object' || params === null) throw wrongPart(operation, part, `gives ${named.id} the parameters ${describe(params)}`, takes);
}

function partText(part: AuthoredPart): string {
  if (part === 'traits') return 'one of its traits';
  if (part === 'lower') return 'its lowering';
  return part === 'batch' ? 'its batch rule' : `its ${part}`;
}

function ownerOf({ package: owner, family }: Operation): string {
  return owner ?? `the package that owns ${family}`;
}

function fieldsOf({ id, family, package: owner }: Operation, role: AuthoredPart): Readonly<Record<string, unknown>> {
  return { op: id, family, role, ...(owner === undefined ? {} : { package: owner }) };
}
