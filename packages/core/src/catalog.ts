import type { Basis, Catalog, Extension, Operation, Rule } from './contract.ts';
import { TfError } from './errors.ts';
import { checkRule } from './program/check-rule.ts';
import { operationSupport } from './program/support.ts';
import { unregistered } from './program/unregistered.ts';
import { wrongArgument } from './types/argument.ts';
import { contractVersion, coreVersion } from './types/version.ts';

/**
 * Freezes extensions into a catalog. A malformed or duplicate extension, or one made for another contract, is an
 * `ExtensionError` that names it.
 */
export function buildCatalog(extensions: readonly Extension[]): Catalog {
  if (!Array.isArray(extensions)) throw wrongArgument('createCatalog', 'extensions', extensions, 'a list of extensions', 'Write createCatalog([extension]).');
  const operations = new Map<string, Operation>();
  const rules = new Map<string, Rule>();
  const families = new Map<string, Extension>();
  let basis: Basis | undefined;
  for (const extension of extensions) requireExtension(extension);
  for (const extension of extensions) {
    checkExtension(extension, families.get(extension.family));
    families.set(extension.family, extension);
    for (const operation of extension.operations) {
      operations.set(operation.id, operation);
      rules.set(operation.id, extension.rules[operation.name] as Rule);
    }
    basis ??= extension.basis;
  }
  if (basis === undefined) throw new TfError('ExtensionError', 'A catalog needs the core extension, which supplies the basis. Use createCatalog(extensions).');
  const ruleOf = (operation: Operation): Rule => {
    const rule = rules.get(operation.id);
    if (rule !== undefined) {
      requireSameVersion(operation, operations.get(operation.id) as Operation);
      return rule;
    }
    throw unregistered(operation, 'rule');
  };
  return Object.freeze({
    extensions: Object.freeze([...extensions]),
    basis,
    operation: (id: string) => operations.get(id),
    rule: ruleOf,
    support: (operation: Operation) => operationSupport(operation, ruleOf(operation)),
    with: (...more: readonly Extension[]) => buildCatalog([...extensions, ...more]),
  });
}

/** Two copies of a package may meet as long as they are of one version. */
function requireSameVersion(used: Operation, registered: Operation): void {
  if (used === registered || used.version === registered.version || used.version === undefined || registered.version === undefined) return;
  const name = registered.package ?? registered.family;
  throw new TfError('ExtensionError', `${used.id}: a value was made by ${used.package ?? name} ${used.version}, and the rules registered are those of ${name} ${registered.version}. Have one version installed: npm ls ${name} shows where they come from.`, { op: used.id, family: used.family, versions: [used.version, registered.version] });
}

/** Refuses what is no extension at all, so that what is wrong with one can be said. */
function requireExtension(extension: unknown): void {
  const { operations, rules, family } = (typeof extension === 'object' && extension !== null ? extension : {}) as Partial<Extension>;
  if (Array.isArray(operations) && typeof rules === 'object' && rules !== null && typeof family === 'string') return;
  throw wrongArgument('createCatalog', 'an entry of extensions', extension, 'an extension: { contract, family, package, version, operations, rules }');
}

function checkExtension(extension: Extension, owner: Extension | undefined): void {
  const { contract, family, version } = extension;
  const name = `${extension.package}@${version}`;
  const refuse = (why: string, fields: Readonly<Record<string, unknown>> = {}): never => {
    throw new TfError('ExtensionError', `${name}: ${why}`, { family, package: extension.package, version, ...fields });
  };
  if (contract !== contractVersion) refuse(`speaks contract ${String(contract)}, this is @tf/core ${coreVersion} with contract ${contractVersion}. Install versions that fit.`);
  if (owner !== undefined) refuse(`the family ${family} is already registered by ${owner.package}@${owner.version}. A family has one owner: register it once, or give yours its own id.`);
  if (!/^[a-z][\w-]*(\.[\w-]+)+$/.test(family)) refuse(`the family id ${JSON.stringify(family)} must begin with its owner's prefix, e.g. acme.signal.v1.`);
  const seen = new Set<string>();
  for (const operation of extension.operations) {
    if (operation.family !== family || operation.id !== `${family}.${operation.name}`) refuse(`the operation ${operation.id} does not belong to the family ${family}.`);
    if (operation.package !== undefined && operation.package !== extension.package) refuse(`the operation ${operation.id} says that it belongs to ${operation.package}.`);
    if (operation.version !== undefined && operation.version !== version) refuse(`the operation ${operation.id} says that it is of version ${operation.version}.`);
    if (seen.has(operation.name)) refuse(`the operation ${operation.id} is defined twice.`);
    seen.add(operation.name);
    const rule = Object.hasOwn(extension.rules, operation.name) ? extension.rules[operation.name] : undefined;
    if (rule === undefined) refuse(`the operation ${operation.id} has no rule; say { kind: 'none', reason } if it has no derivative.`);
    else checkRule(operation, rule, refuse);
  }
  for (const rule of Object.keys(extension.rules)) if (!seen.has(rule)) refuse(`there is a rule for ${rule}, which is no operation of the family.`);
}
