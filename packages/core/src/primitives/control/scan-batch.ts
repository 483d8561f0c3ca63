import type { Atom, BatchContext, Program, Var } from '../../contract.ts';
import { Builder } from '../../program/builder.ts';
import { broadcastTo, transpose } from '../movement.ts';
import { replayInto } from './region.ts';
import { placesOf, scanParams } from './scan-params.ts';

/** A carry has the batch axis when it starts with it or comes to depend on what has it. Stacks have the scan's axis before the batch's. */
export function batchScan(ctx: BatchContext): readonly Var[] {
  const params = scanParams(ctx.params);
  const places = placesOf(params, ctx.inputTypes.length);
  let batched = ctx.batched;
  let region = ctx.region(params.body, batched);
  for (;;) {
    const further = places.carries.filter((at, carry) => !batched[at] && region.batched[carry] === true);
    if (further.length === 0) break;
    batched = batched.map((is, at) => is || further.includes(at));
    region = ctx.region(params.body, batched);
  }
  const wanted = region.batched.map((is, at) => is || (at < params.carries && batched[params.constants + at] === true));
  const body = withBatches(ctx, region.program, region.batched, wanted);
  const inputs = ctx.inputTypes.map((_, at) => {
    if (places.carries.includes(at)) return batched[at] === true ? ctx.whole(at) : ctx.atom(at);
    return ctx.batched[at] === true && places.stacks.includes(at) ? swapFirstTwo(ctx.input(at)) : ctx.atom(at);
  });
  const outputs = ctx.apply(ctx.operation, inputs, { ...ctx.params, body });
  return outputs.map((output, at) => {
    if (wanted[at] !== true) return ctx.alike(output);
    return at < params.carries ? output : swapFirstTwo(output);
  });
}

function swapFirstTwo(x: Var): Var {
  return transpose(x, [1, 0, ...x.type.shape.slice(2).map((_, at) => at + 2)]) as Var;
}

/** The program with the batch axis on every output that `wanted` marks: repeated along it where it did not depend on the batch. */
export function withBatches(ctx: BatchContext, program: Program, batched: readonly boolean[], wanted: readonly boolean[]): Program {
  if (wanted.every((is, at) => is === batched[at])) return program;
  const builder = new Builder();
  const env = new Map<Var, Atom>(program.inputs.map((input) => [input, builder.input(input.type)]));
  for (const constraint of program.constraints) builder.require(constraint);
  const outputs = replayInto(builder, program, env);
  return builder.build(outputs.map((output, at) => (wanted[at] === true && batched[at] !== true ? (broadcastTo(output as Var, [ctx.size, ...output.type.shape]) as Var) : output)));
}
