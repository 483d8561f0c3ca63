import type { Operation } from '../contract.ts';
import { TfError } from '../errors.ts';

/** A family is missing where it is needed: its rules in a catalog, or its kernels (`symbol`) in an engine. Both modes say the same. */
export function unregistered(operation: Operation, role: 'rule' | 'module', symbol?: string): TfError {
  const { id, family, package: owner } = operation;
  const named = owner ?? `the package that owns ${family}`;
  const message = role === 'rule' ? `no rules (derivatives, batches) of the family ${family} are registered. Add the extension of ${named} to createCatalog([...])` : `the engine has no kernel for it${missingModule(operation, named, symbol)}`;
  return new TfError('UnregisteredFamilyError', `${id}: ${message}.`, { family, op: id, role, ...(symbol === undefined ? {} : { symbol }), ...(owner === undefined ? {} : { package: owner }) });
}

function missingModule({ modules = [] }: Operation, named: string, symbol: string | undefined): string {
  const [first, ...others] = modules;
  if (symbol === undefined) return `, and its family gives it neither traits nor a lowering. Register the execution module of ${named}: createEngine({ modules: [...] })`;
  if (first === undefined) return `. Give createEngine({ modules: [...] }) a module with the kernel ${symbol}: that of ${named}`;
  const rest = others.map(({ call, from }) => `; or ${call} of '${from}'`).join('');
  return `. Add ${first.call} of '${first.from}': createEngine({ modules: [${first.call}] })${rest}`;
}
