import type { Operation } from '../contract.ts';

/** What tells operations apart in keys: two versions of one, out of two copies of a package, may compute different things. */
export function operationKey({ id, version }: Operation): string {
  return version === undefined ? id : `${id}@${version}`;
}

/** Whether two objects are one operation: copies of one version of a package are. */
export function sameOperation(a: Operation, b: Operation): boolean {
  return a === b || (a.id === b.id && a.version === b.version);
}
