import type { Atom, Program, RegionCotangents, RegionTangents, Var } from '../contract.ts';
import { Builder } from '../program/builder.ts';
import type { Rules } from './rule-context.ts';
import { transposeLinear } from './transpose.ts';
import { type LocalRules, pushforwardBeside, valuesOf } from './whole.ts';

/** The tangents of a region, and what it must hand to them. */
export function linearizeRegion(rules: LocalRules, program: Program, active: readonly boolean[]): RegionTangents {
  const wrt = active.flatMap((is, index) => (is ? [index] : []));
  const { program: tangent, residuals, results, source } = pushforwardBeside(rules, { program, wrt, live: [] });
  const values = valuesOf(source);
  const further: Var[] = [];
  const kinds = residuals.map((at): RegionTangents['residuals'][number] => (at < program.inputs.length ? { kind: 'input', index: at } : { kind: 'further', index: further.push(values[at] as Var) - 1 }));
  return { primal: { ...source, outputs: [...program.outputs, ...further] }, residuals: kinds, tangent, results };
}

/** The adjoint of a region that is linear in some of its inputs. */
export function transposeRegion(rules: Rules, program: Program, linear: readonly boolean[], live: readonly boolean[], summed: readonly boolean[] = []): RegionCotangents {
  const builder = new Builder();
  const env = new Map<Var, Atom>();
  program.inputs.forEach((input, index) => {
    if (linear[index] !== true) env.set(input, builder.input(input.type));
  });
  for (const constraint of program.constraints) builder.require(constraint);
  const cotangents = program.outputs.map((output, index) => (live[index] === true ? builder.input(output.type) : undefined));
  const starts = new Map(program.inputs.flatMap((input, index): [Var, Atom][] => (linear[index] === true && summed[index] === true ? [[input, builder.input(input.type)]] : [])));
  const found = transposeLinear(rules, builder, { program, linearInputs: program.inputs.filter((_, index) => linear[index]), env, starts }, cotangents);
  let at = 0;
  const results = found.map((ct) => (ct === undefined ? undefined : at++));
  return { program: builder.build(found.filter((ct): ct is Atom => ct !== undefined)), results };
}
