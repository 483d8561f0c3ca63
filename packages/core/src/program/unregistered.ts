import type { Operation } from '../contract.ts';
import { TfError } from '../errors.ts';

/** A family is missing where it is needed: its rules in a catalog, or its kernels (`symbol`) in an engine. Both modes say the same. */
export function unregistered({ id, family, package: owner }: Operation, role: 'rule' | 'module', symbol?: string): TfError {
  const named = owner ?? `the package that owns ${family}`;
  const message = role === 'rule'
    ? `no derivative rules of the family ${family} are registered. Add the extension of ${named} to createCatalog([...])`
    : symbol !== undefined ? `the engine has no kernel for it. Give createEngine({ modules: [...] }) a module with the kernel ${symbol}: that of ${named}`
    : `the engine has no kernel for it, and its family gives it neither traits nor a lowering. Register the execution module of ${named}: createEngine({ modules: [...] })`;
  return new TfError('UnregisteredFamilyError', `${id}: ${message}.`, { family, op: id, role, ...(symbol === undefined ? {} : { symbol }), ...(owner === undefined ? {} : { package: owner }) });
}
