import type { Program } from '../contract.ts';
import { dedupe } from './dedupe.ts';
import { forwardIdentities } from './identity.ts';
import { inlineCalls } from './inline.ts';
import { prune } from './prune.ts';

/** One rewriting of a program that changes no output bit (contracts.md §3). */
export interface Pass {
  readonly name: string;
  readonly run: (program: Program) => Program;
}

/** The pipeline, in order. Every pass has a page in docs/passes. */
export const passes: readonly Pass[] = [
  { name: 'inlineCalls', run: inlineCalls },
  { name: 'forwardIdentities', run: forwardIdentities },
  { name: 'dedupe', run: dedupe },
  { name: 'prune', run: prune },
];
