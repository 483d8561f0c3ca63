import { type Catalog, dtypes, type Instruction, liveInstructions, type Program } from '@tf/core';
import { type CheckName, checkNames } from './checks/check.ts';
import type { Examination } from './examine.ts';
import type { Regime } from './generate/inputs.ts';

/** Counts by name. */
export class Tally {
  readonly counts = new Map<string, number>();

  add(name: string, by = 1): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + by);
  }

  of(name: string): number {
    return this.counts.get(name) ?? 0;
  }

  toJSON(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.counts);
  }
}

/** What a run has covered; all counts are of programs. */
export class Coverage {
  programs = 0;
  /** By operation, and by operation and dtype. */
  readonly operations: Tally = new Tally();
  readonly dtypes: Tally = new Tally();
  /** Operations in programs whose derivatives were compared with differences, and in programs of gradients. */
  readonly compared: Tally = new Tally();
  readonly inGradients: Tally = new Tally();
  readonly steps: Tally = new Tally();
  readonly shapes: Tally = new Tally();
  readonly lengths: Tally = new Tally();
  readonly regimes: Tally = new Tally();
  /** Per check: how many programs agreed, and why others were skipped. */
  readonly checks: { readonly [K in CheckName]: Tally } = Object.fromEntries(checkNames.map((name) => [name, new Tally()])) as unknown as { readonly [K in CheckName]: Tally };

  add({ program, gradient, recipe, outcomes }: Examination): void {
    this.programs++;
    const live = liveInstructions(program);
    const names = new Set(live.map(({ operation }) => operation.id));
    for (const name of names) this.operations.add(name);
    for (const name of new Set(live.map(operationAndDType))) this.dtypes.add(name);
    if (outcomes.get('differences')?.kind === 'agrees') for (const name of names) this.compared.add(name);
    for (const name of new Set(gradient?.instructions.map(({ operation }) => operation.id) ?? [])) this.inGradients.add(name);
    for (const name of new Set(recipe.steps.map(({ kind }) => kind))) this.steps.add(name);
    for (const name of shapesOf(program, live)) this.shapes.add(name);
    this.lengths.add(lengthOf(live.length));
    this.regimes.add(recipe.regime satisfies Regime);
    for (const [check, outcome] of outcomes) this.checks[check].add(outcome.kind === 'skipped' ? `skipped: ${outcome.why}` : outcome.kind);
  }

  /** Operations of the catalog that fewer than `bar` programs contain; those that the engine cannot run apart. */
  missing(catalog: Catalog, bar: number): readonly string[] {
    return operationsOf(catalog).filter((id) => this.operations.of(id) < bar);
  }
}

export function operationsOf(catalog: Catalog): readonly string[] {
  return catalog.extensions.flatMap(({ operations }) => operations.map(({ id }) => id)).filter((id) => !id.startsWith('fuzz.'));
}

/** By the dtype of the result, or of the first operand where the result is a boolean. */
function operationAndDType({ operation, inputs, outputs }: Instruction): string {
  const result = outputs[0]!.type.dtype;
  return `${operation.id} ${dtypes[result === 'bool' ? inputs[0]!.type.dtype : result].short}`;
}

function shapesOf(program: Program, live: readonly Instruction[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { operation, inputs, outputs } of live) {
    const shape = outputs[0]!.type.shape as readonly number[];
    const stretched = operation.traits.elementwise !== undefined && inputs.some((input) => input.type.shape.join() !== shape.join());
    if (stretched) found.add('broadcasting');
    if (shape.includes(0)) found.add('empty axes');
    if (shape.includes(1)) found.add('axes of length 1');
    found.add(`rank ${shape.length}`);
    for (const input of inputs) if ('literal' in input) found.add('literals');
  }
  if (program.outputs.length > 1) found.add('several outputs');
  return found;
}

function lengthOf(count: number): string {
  const low = Math.floor(count / 5) * 5;
  return count >= 40 ? '40 and more' : `${low}–${low + 4}`;
}
