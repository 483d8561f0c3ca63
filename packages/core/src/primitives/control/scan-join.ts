import type { Atom, JoinedPair, Operation, Params, SharedOperand, Var } from '../../contract.ts';
import { Builder } from '../../program/builder.ts';
import { sameDim } from '../../types/dim.ts';
import { range, replayInto } from './region.ts';
import { placesOf, type ScanParams, scanParams } from './scan-params.ts';

/**
 * One scan whose iteration is one of the first scan and then one of the second, which gets slices of the first one's stacks as they are made.
 * So both go through the same slices in the same order, and of the first one the second reads nothing but these.
 */
export function joinScans(operation: Operation, first: Params, second: Params, given: readonly (SharedOperand | undefined)[]): JoinedPair | undefined {
  const [before, after] = [scanParams(first), scanParams(second)];
  if (before.reverse !== after.reverse || !sameDim(before.length, after.length)) return undefined;
  const [taken, made] = [before.body.inputs.length, before.body.outputs.length];
  const [own, further] = [placesOf(before, taken), placesOf(after, given.length)];
  const isSlice = (at: number): boolean => further.stacks.includes(at);
  if (given.some((source, at) => source?.kind === 'output' && (source.index < before.carries || !isSlice(at)))) return undefined;
  // A carry that starts the same does not go on the same.
  const isShared = ({ index }: SharedOperand, at: number): boolean => (isSlice(at) ? own.stacks.includes(index) : further.constants.includes(at) && own.constants.includes(index));
  const sources = given.map((source, at) => (source?.kind === 'input' && !isShared(source, at) ? undefined : source));
  const unshared = (places: readonly number[]): readonly number[] => places.filter((at) => sources[at] === undefined).map((at) => taken + at);
  const inputs = [...own.constants, ...unshared(further.constants), ...own.carries, ...unshared(further.carries), ...own.stacks, ...unshared(further.stacks)];
  const params: ScanParams = {
    body: joinedBody(before, after, inputs, sources), constants: own.constants.length + unshared(further.constants).length,
    carries: before.carries + after.carries, length: before.length, reverse: before.reverse, linear: [],
  };
  const outputs = [...range(before.carries), ...range(after.carries, made), ...range(made - before.carries, before.carries), ...range(after.body.outputs.length - after.carries, made + after.carries)];
  return { operation, params: { ...params }, inputs, outputs };
}

function joinedBody({ body: first, carries: before }: ScanParams, { body: second, carries: after }: ScanParams, inputs: readonly number[], sources: readonly (SharedOperand | undefined)[]): ScanParams['body'] {
  const builder = new Builder();
  const types = [...first.inputs, ...second.inputs].map(({ type }) => type);
  const values = new Map(inputs.map((at): [number, Var] => [at, builder.input(types[at] as Var['type'])]));
  for (const constraint of [...first.constraints, ...second.constraints]) builder.require(constraint);
  const made = replayInto(builder, first, new Map(first.inputs.map((input, at): [Var, Atom] => [input, values.get(at) as Var])));
  const given = sources.map((source, at): Atom => {
    if (source?.kind === 'output') return made[source.index] as Atom;
    return values.get(source?.index ?? first.inputs.length + at) as Var;
  });
  const next = replayInto(builder, second, new Map(second.inputs.map((input, at): [Var, Atom] => [input, given[at] as Atom])));
  return builder.build([...made.slice(0, before), ...next.slice(0, after), ...made.slice(before), ...next.slice(after)]);
}
