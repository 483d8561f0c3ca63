/** Which operations have a role of their own, and how they are written. */
import { type Instruction, type Operation, TfError } from '@tf/core';
import { type Emitter, sameExtents } from './emitter.ts';
import type { StableHloFamily, StableHloRole, StableHloSite } from './family.ts';
import { typesText, type Value } from './text.ts';

export interface Roles {
  of(operation: Pick<Operation, 'family' | 'name'>): StableHloRole | undefined;
}

/** @throws ArgumentError for two roles of one family. */
export function createRoles(families: readonly StableHloFamily[]): Roles {
  const known = new Map<string, StableHloFamily>();
  for (const each of families) {
    if (known.has(each.family)) throw new TfError('ArgumentError', `exportStableHlo: families has ${each.family} twice. Give what each family becomes once.`, { op: 'exportStableHlo', argument: 'families' });
    known.set(each.family, each);
  }
  return {
    of({ family, name }) {
      const operations = known.get(family)?.operations;
      return operations !== undefined && Object.hasOwn(operations, name) ? operations[name] : undefined;
    },
  };
}

/** Writes what functions over Vars compute of values. */
export type ApplyFunction = (emitter: Emitter, f: Parameters<StableHloSite['apply']>[0], operands: readonly Value[]) => readonly Value[];

/** @throws UnsupportedOnEngineError where the role says why there is none, and naming a role that gives other values than it should. */
export function emitNative(emitter: Emitter, apply: ApplyFunction, role: StableHloRole, { operation, params, outputs }: Instruction, operands: readonly Value[]): readonly Value[] {
  const refuse = (why: string): TfError => new TfError('UnsupportedOnEngineError', `exportStableHlo: ${operation.id} has no StableHLO: ${why}.`, { op: operation.id, family: operation.family, engine: 'xla' });
  if ('reason' in role) throw refuse(role.reason);
  const types = outputs.map(({ type }) => emitter.typeOf(type));
  if (types.every(({ shape }) => shape.includes(0))) return types.map((type) => emitter.zeros(type));
  const site: StableHloSite = { writer: emitter, params, operands, outputs: types, extent: (dim) => emitter.extent(dim), apply: (f, ...given) => apply(emitter, f, given), refuse };
  const values = role.toStableHlo(site);
  const fits = values.length === types.length && values.every(({ element, shape }, at) => element === types[at]?.element && sameExtents(shape, types[at].shape));
  if (!fits) throw new TfError('ExtensionError', `exportStableHlo: the role of ${operation.id} gave ${typesText(values) || 'nothing'}, and its outputs are ${typesText(types)}.`, { op: operation.id, family: operation.family });
  return values;
}
