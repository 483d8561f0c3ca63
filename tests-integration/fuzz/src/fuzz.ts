import { printProgram } from '@tf/core';
import * as fc from 'fast-check';
import type { CheckName, Culprit, Disagreement } from './checks/check.ts';
import { checkReference, listText } from './checks/reference.ts';
import { Coverage } from './coverage.ts';
import { disagreementOf, examine, type Examination, examineRecipe } from './examine.ts';
import { programDraws } from './generate/draws.ts';
import { Dealer } from './generate/features.ts';
import { regimeOf } from './generate/inputs.ts';
import { stepKinds } from './generate/recipe.ts';
import { reduceRecipe } from './reduce.ts';
import type { Subject } from './subject.ts';

export interface FuzzOptions {
  readonly programs: number;
  readonly seed: number;
  /** Only the program with this number. */
  readonly only?: number;
  /** Programs before this number are drawn and not looked at, so that a long run can be had in parts. */
  readonly from?: number;
  /** How long one disagreement may be shrunk, in milliseconds. */
  readonly shrinkTime?: number;
  /** How many programs one disagreement may be shrunk by: unlike the time, it gives the same example on a busy machine. */
  readonly shrinkPrograms?: number;
  /** Stop at the first disagreement. */
  readonly first?: boolean;
  readonly progress?: (done: number, disagreements: number) => void;
}

/** A disagreement, as small as it could be made. */
export interface Found extends Disagreement {
  /** Number of the program, to repeat it. */
  readonly index: number;
  readonly program: string;
  readonly inputs: readonly string[];
  readonly shrunk: boolean;
}

export interface FuzzResult {
  readonly coverage: Coverage;
  readonly found: readonly Found[];
  /** How many programs disagreed; `found` has an example of each kind. */
  readonly disagreements: number;
  /** How often every kind of step was dealt, for certain, to the programs that were looked at. */
  readonly rounds: number;
}

/** So many disagreements are shown, and so many shrunk at most to find ones that differ. */
const shown = 5;
const attempts = 10;

interface Wrong {
  readonly index: number;
  /** The steps that it was dealt. */
  readonly features: readonly string[];
  readonly examination: Examination;
}

/** What a shrunk example blames: the check that fails, and the operations that it fails with. */
interface Blame {
  readonly check: CheckName;
  readonly operations: ReadonlySet<string>;
}

/** An instruction that is wrong by itself is to blame alone, in whichever program it was met: in one of gradients, too. */
function blameOf(examination: Examination): Blame {
  const { check, culprit } = disagreementOf(examination) as Disagreement;
  return { check, operations: new Set((culprit?.program ?? examination.program).instructions.map(({ operation }) => operation.id)) };
}

/** Whether an example is known that fails the same check with no other operations. */
function explained(blame: Blame, known: readonly Blame[]): boolean {
  return known.some(({ check, operations }) => check === blame.check && [...operations].every((id) => blame.operations.has(id)));
}

/** One example for each check that fails and each set of operations that it fails with: first one of every check. */
function examplesOf(subject: Subject, wrong: readonly Wrong[], options: FuzzOptions): readonly Found[] {
  const seen = new Set<CheckName>();
  const firsts = wrong.filter(({ examination }) => {
    const { check } = blameOf(examination);
    return !seen.has(check) && seen.add(check);
  });
  const blames: Blame[] = [];
  const found: Found[] = [];
  let tried = 0;
  for (const one of [...firsts, ...wrong]) {
    const { index, examination } = one;
    if (found.length >= shown || tried >= attempts) break;
    if (explained(blameOf(examination), blames)) continue;
    tried++;
    const smallest = shrink(subject, one, options);
    const blame = blameOf(smallest);
    if (explained(blame, blames)) continue;
    blames.push(blame);
    found.push(foundOf(subject, index, examination, smallest));
  }
  return found;
}

/** So often others get a turn: tensors that nobody holds are given back then. */
const breather = 16;

/** Draws programs and examines each. */
export async function fuzz(subject: Subject, options: FuzzOptions): Promise<FuzzResult> {
  const { programs, seed, only, from = 0, first = false } = options;
  const coverage = new Coverage();
  const wrong: Wrong[] = [];
  const dealer = new Dealer(Object.keys(stepKinds), seed);
  let index = -1;
  let before = dealer.deals();
  const property = fc.asyncProperty(programDraws(), async (draw) => {
    index++;
    if (index === from) before = dealer.deals();
    const features = dealer.deal(regimeOf(draw));
    if (index % breather === 0) await new Promise((resolve) => setImmediate(resolve));
    if (index < from || (only !== undefined && index !== only)) return;
    const examination = examine(subject, draw, features);
    coverage.add(examination);
    if (disagreementOf(examination) !== undefined) wrong.push({ index, features, examination });
    options.progress?.(index + 1, wrong.length);
    if (first && wrong.length > 0) throw new Error('found');
  });
  const outcome = await fc.check(property, { numRuns: only === undefined ? programs : only + 1, seed, endOnFailure: true });
  // What is thrown while programs are drawn or examined is a fault of the fuzzer: the programs after it were not looked at.
  if (outcome.failed && wrong.length === 0) throw new Error(`program ${index} could not be drawn or examined: ${String(outcome.errorInstance)}`, { cause: outcome.errorInstance });
  return { coverage, found: examplesOf(subject, wrong, options), disagreements: wrong.length, rounds: dealer.rounds(before) };
}

/** The smallest program that fails the same check, as far as the time allows: first smaller draws, then fewer steps. */
function shrink(subject: Subject, { index, features, examination: original }: Wrong, { seed, shrinkTime = 10_000, shrinkPrograms = Infinity }: FuzzOptions): Examination {
  const { check } = disagreementOf(original) as Disagreement;
  const start = performance.now();
  let smallest = original;
  let left = shrinkPrograms / 2;
  const isWrong = (next: () => Examination): boolean => {
    if (left <= 0) return false;
    left--;
    const examination = next();
    if (disagreementOf(examination)?.check !== check) return false;
    smallest = examination;
    return true;
  };
  if (shrinkTime > 0) {
    const property = fc.property(programDraws(), (draw) => {
      if (isWrong(() => examine(subject, draw, features))) throw new Error(check);
    });
    fc.check(property, { seed, path: String(index), numRuns: 1, interruptAfterTimeLimit: shrinkTime / 2, markInterruptAsFailure: false });
    left += shrinkPrograms / 2;
    reduceRecipe(subject.machine, smallest.recipe, (recipe) => isWrong(() => examineRecipe(subject, recipe)), start + shrinkTime);
  }
  return smallest;
}

function foundOf(subject: Subject, index: number, original: Examination, smallest: Examination): Found {
  const { what, check, culprit } = disagreementOf(smallest) as Disagreement;
  const alone = culprit !== undefined && isWrongAlone(subject, culprit);
  const { program, inputs } = alone ? culprit : { program: smallest.program, inputs: smallest.recipe.inputs };
  return { check, what, index, shrunk: alone || smallest !== original, program: printProgram(program), inputs: inputs.map((input) => `${input.type.key} ${listText(input)}`) };
}

/** Whether an instruction is found wrong again where nothing runs beside it. */
function isWrongAlone({ machine }: Subject, { program, inputs }: Culprit): boolean {
  return checkReference(program, machine.runSingly(program, inputs)).kind === 'disagrees';
}
