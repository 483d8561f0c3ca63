import { type Catalog, type DerivativeRule, isLiteral, linearInputsOf, type Var } from '@tf/core';
import { interpretAll } from '../interpreter/interpret.ts';
import { type HostValue, hostValue, knownShape } from '../values.ts';
import { compare, type Finding, LawError, roundoff, worse } from './law.ts';
import { type Probe, probesOf } from './probe.ts';
import { concreteSubject, type ExtensionLaw, directions, type ExtensionSubject, type RuleUse, ruleUses, run } from './subject.ts';

export const linearLaw: ExtensionLaw = {
  name: 'linear',
  equation: 'L(αu + βv) = αL(u) + βL(v) for linearize, transpose and vjp',
  check: (given) => {
    const subject = concreteSubject(given);
    let finding: Finding | undefined;
    const { values } = interpretAll(subject.program, subject.inputs, subject.interpret);
    for (const use of ruleUses(subject)) {
      for (const probe of probesOf(subject.context, use)) {
        checkStructure(subject.context.catalog, use.instruction.operation.id, probe);
        finding = worse(finding, checkNumbers(subject, use, probe, values));
      }
    }
    return finding;
  },
};

/** Every instruction that meets a tangent is linear in it, by its own rule: what transposition relies on. */
function checkStructure(catalog: Catalog, op: string, { program, linear, role }: Probe): void {
  const tangents = new Set<unknown>(linear);
  for (const { operation, inputs, outputs, params } of program.instructions) {
    const met = inputs.flatMap((input, at) => (tangents.has(input) ? [at] : []));
    if (met.length === 0) continue;
    const rule = catalog.rule(operation);
    const declared = rule.kind === 'rule' ? rule.linear : undefined;
    const fits = declared !== undefined && met.every((at) => linearInputsOf(rule as DerivativeRule, params, inputs.length).includes(at)) && (declared.how === 'together' || met.length === 1);
    if (!fits) throw new LawError('linear', op, `its ${role} uses ${operation.id} on tangents (operands ${met.join(', ')}), in which that is not linear.`);
    for (const output of outputs) tangents.add(output);
  }
}

function checkNumbers(subject: ExtensionSubject, use: RuleUse, probe: Probe, values: ReadonlyMap<Var, HostValue>): Finding | undefined {
  const primal = new Map<Var, HostValue>();
  for (const [index, variable] of probe.reads.input) {
    const atom = use.instruction.inputs[index] as Var;
    primal.set(variable, isLiteral(atom) ? { type: atom.type, data: atom.data } : (values.get(atom) as HostValue));
  }
  for (const [index, variable] of probe.reads.output) primal.set(variable, values.get(use.instruction.outputs[index] as Var) as HostValue);
  const types = probe.linear.map((seed) => seed.type);
  const [u, v] = [directions(subject, types, 11), directions(subject, types, 12)];
  const at = (seeds: readonly HostValue[]): readonly HostValue[] =>
    run(subject, probe.program, probe.program.inputs.map((input) => primal.get(input) ?? (seeds[probe.linear.indexOf(input)] as HostValue)));
  const [left, fu, fv] = [at(u.map((value, which) => mixed(value, v[which] as HostValue))), at(u), at(v)];
  let finding: Finding | undefined;
  left.forEach((value, which) => {
    const sum = mixed(fu[which] as HostValue, fv[which] as HostValue);
    finding = worse(finding, compare('linear', use.instruction.operation.id, `${probe.role} of 2u − ½v, result ${which}, `, value, sum, 1e5 * Math.max(roundoff(value), ...u.map(roundoff)), 1e-300));
  });
  return finding;
}

/** 2a − ½b: exact factors, so that only the map itself rounds. */
function mixed(a: HostValue, b: HostValue): HostValue {
  return hostValue(a.type.dtype, knownShape(a.type.shape), Array.from(a.data as ArrayLike<number>, (value, at) => 2 * value - 0.5 * Number(b.data[at])));
}
