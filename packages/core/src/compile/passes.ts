import type { Program } from '../contract.ts';
import { dedupe } from './dedupe.ts';
import { forwardIdentities } from './identity.ts';
import { inlineCalls } from './inline.ts';
import { join } from './join.ts';
import { lower } from './lower.ts';
import { narrow } from './narrow.ts';
import { prune } from './prune.ts';
import type { Target } from './target.ts';

/** One rewriting of a program that changes no output bit (contracts.md §3). */
export interface Pass {
  readonly name: string;
  /** Without a target: for an engine that has no kernels of execution modules. */
  readonly run: (program: Program, target?: Target) => Program;
}

/** The pipeline, in order. Every pass has a page in docs/passes. */
export const passes: readonly Pass[] = [
  { name: 'inlineCalls', run: inlineCalls },
  { name: 'forwardIdentities', run: forwardIdentities },
  { name: 'dedupe', run: dedupe },
  { name: 'narrow', run: narrow },
  { name: 'lower', run: lower },
  { name: 'join', run: join },
  { name: 'prune', run: prune },
];
