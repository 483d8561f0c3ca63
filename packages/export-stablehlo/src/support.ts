import { type Extension, type Operation, wrongArgument } from '@tf/core';
import { requireFamilies } from './arguments.ts';
import type { Platform, StableHloFamily } from './family.ts';
import { createRoles } from './roles.ts';

/** How an operation of a family reaches XLA. */
export interface StableHloSupport {
  readonly operation: string;
  /** By the role of its family, by other operations, by its traits, or not at all. */
  readonly route: 'role' | 'lower' | 'traits' | 'none';
  /** What the role says it becomes. */
  readonly becomes: string | undefined;
  /** Where XLA runs it; what it lowers to may have fewer. */
  readonly platforms: readonly Platform[];
  /** Why it is not exported. */
  readonly reason: string | undefined;
  readonly caveats: readonly string[];
}

const everywhere: readonly Platform[] = ['cpu', 'gpu', 'tpu'];
/** Traits that say nothing of what is computed. */
const silent: ReadonlySet<string> = new Set(['call', 'prune', 'covers', 'join', 'asAccumulation', 'broadcasts', 'undo', 'random', 'extent']);

/**
 * What becomes of each operation of a family in StableHLO.
 *
 * @example
 * import { stableHloSupport } from '@tf/export-stablehlo';
 * import { fftExtension } from '@tf/fft';
 * import { fftStableHlo } from '@tf/fft/stablehlo';
 * console.log(stableHloSupport(fftExtension, [fftStableHlo]).map(({ operation, becomes }) => `${operation}: ${becomes}`)[0]); // → tf.fft.v1.dft: fft
 */
export function stableHloSupport(extension: Extension, families: readonly StableHloFamily[] = []): readonly StableHloSupport[] {
  if (!Array.isArray((extension as Extension | undefined)?.operations)) throw wrongArgument('stableHloSupport', 'extension', extension, 'an extension', 'Give it linalgExtension.');
  requireFamilies('stableHloSupport', 'families', families);
  const roles = createRoles(families);
  return extension.operations.map((operation) => supportOf(operation, roles.of(operation)));
}

function supportOf(operation: Operation, role: ReturnType<ReturnType<typeof createRoles>['of']>): StableHloSupport {
  const common = { operation: operation.id, becomes: undefined, platforms: everywhere, reason: undefined, caveats: [] };
  if (role !== undefined) return 'reason' in role ? { ...common, route: 'none', platforms: [], reason: role.reason } : { ...common, route: 'role', becomes: role.becomes, platforms: role.platforms ?? everywhere, caveats: role.caveats ?? [] };
  if (operation.lower !== undefined) return { ...common, route: 'lower' };
  if (Object.keys(operation.traits).some((trait) => !silent.has(trait))) return { ...common, route: 'traits' };
  return { ...common, route: 'none', platforms: [], reason: operation.traits.extent === undefined ? 'it has neither traits nor a lowering that say what it computes' : 'the run decides an extent, and XLA compiles for fixed shapes' };
}
