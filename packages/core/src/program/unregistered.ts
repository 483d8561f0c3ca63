import type { Operation } from '../contract.ts';
import { TfError } from '../errors.ts';

/** A family is missing where it is needed: its rules in a catalog, or its kernels in an engine. Both modes say the same. */
export function unregistered({ id, family, package: owner }: Operation, role: 'rule' | 'module'): TfError {
  const named = owner ?? `the package that owns ${family}`;
  const message = role === 'rule'
    ? `no derivative rules of the family ${family} are registered. Add the extension of ${named} to createCatalog([...])`
    : `the engine has no kernel for it, and its family gives it neither traits nor a lowering. Register the execution module of ${named}: createEngine({ modules: [...] })`;
  return new TfError('UnregisteredFamilyError', `${id}: ${message}.`, { family, op: id, role, ...(owner === undefined ? {} : { package: owner }) });
}
