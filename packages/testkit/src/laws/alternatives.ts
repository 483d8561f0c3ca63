/** Other ways to compute what an operation computes, which programs are rewritten to: all must give its values. */
import { type Atom, Builder, type Covered, type Instruction, isInexact, isLiteral, loweredProgram, type Operation, type Params, paramsKey, requestFor } from '@tf/core';
import { interpretAll, type InterpretOptions, interpretProgram } from '../interpreter/interpret.ts';
import { firstDifference, type HostValue, positionText } from '../values.ts';
import { compare, type Finding, LawError, worse } from './law.ts';
import { concreteSubject, type ExtensionLaw, type ExtensionSubject } from './subject.ts';

/** An instruction of a case with the values that it reads. */
interface Use {
  readonly instruction: Instruction;
  readonly inputs: readonly HostValue[];
}

export const augmentLaw: ExtensionLaw = {
  name: 'augment',
  equation: 'augment(f)(x) = (f(x), residuals), and f(x) bit for bit unless it says `exact: false`; covers(g) ⊆ g',
  concerns: (subject) => instructionsOf(subject).some((instruction) => ruleAugments(subject, instruction) || instruction.operation.traits.covers !== undefined),
  check: (given) => {
    const subject = concreteSubject(given);
    let finding: Finding | undefined;
    for (const use of usesOf(subject)) {
      const { operation, params } = use.instruction;
      finding = worse(finding, checkCovers(subject, use, operation, params));
      for (const active of masksOf(use.instruction)) {
        const form = subject.context.augmented(requestFor(use.instruction, active, use.instruction.outputs.map(({ type }) => isInexact(type.dtype))));
        if (form === undefined) continue;
        const what = `${operation.id}, augmented by inputs ${active.flatMap((is, at) => (is ? [at] : [])).join(', ')},`;
        finding = worse(finding, sameValues('augment', subject, what, use.instruction.outputs.map((_, at) => at), form.exact, [use, form.operation, form.params], [use, operation, params]));
        finding = worse(finding, checkCovers(subject, use, form.operation, form.params));
      }
    }
    return finding;
  },
};

export const pruneLaw: ExtensionLaw = {
  name: 'prune',
  equation: 'prune(f, live)(x) = f(x) in the live outputs, bit for bit unless it says `exact: false`',
  concerns: (subject) => instructionsOf(subject).some(({ operation }) => operation.traits.prune !== undefined),
  check: (given) => {
    const subject = concreteSubject(given);
    let finding: Finding | undefined;
    for (const use of usesOf(subject)) {
      const { operation, params, inputs, outputs } = use.instruction;
      for (const live of livesOf(outputs.length)) {
        const form = operation.traits.prune?.(params, live, inputs.map(({ type }) => type), outputs.map(({ type }) => type));
        if (form === undefined) continue;
        const what = `${operation.id}, pruned to outputs ${live.flatMap((is, at) => (is ? [at] : [])).join(', ')},`;
        const places = form.outputs.map((at, which) => (live[which] === true ? at : undefined));
        live.forEach((is, at) => {
          if (is && form.outputs[at] === undefined) throw new LawError('prune', subject.name, `${what} has no output ${at}, which is read.`);
        });
        const narrower: Use = { ...use, inputs: form.inputs.map((at) => use.inputs[at] as HostValue) };
        finding = worse(finding, sameValues('prune', subject, what, places, form.exact !== false, [narrower, form.operation, form.params], [use, operation, params]));
      }
    }
    return finding;
  },
};

export const lowerLaw: ExtensionLaw = {
  name: 'lower',
  equation: 'lower(f)(x) = f(x) as its reference says',
  concerns: (subject) => instructionsOf(subject).some(({ operation }) => operation.lower !== undefined && subject.interpret.operations?.[operation.id] !== undefined),
  check: (given) => {
    const subject = concreteSubject(given);
    let finding: Finding | undefined;
    for (const { instruction, inputs } of usesOf(subject)) {
      const { operation, params } = instruction;
      if (subject.interpret.operations?.[operation.id] === undefined) continue;
      const lowered = loweredProgram(instruction);
      if (lowered === undefined) continue;
      const values = interpretProgram(lowered, inputs, subject.interpret);
      runOperation(operation, params, inputs, subject.interpret).forEach((expected, at) => {
        finding = worse(finding, compare('lower', subject.name, `${operation.id}, lowered, output ${at} `, values[at] as HostValue, expected, toleranceOf(subject)));
      });
    }
    return finding;
  },
};

function checkCovers(subject: ExtensionSubject, use: Use, operation: Operation, params: Params): Finding | undefined {
  const given = operation.traits.covers?.(params) ?? [];
  let finding: Finding | undefined;
  for (const covered of isList(given) ? given : [given]) {
    finding = worse(finding, sameValues('augment', subject, `what ${operation.id} covers, ${covered.operation.id},`, covered.outputs, covered.exact !== false, [use, operation, params], [use, covered.operation, covered.params]));
  }
  return finding;
}

function isList(covered: Covered | readonly Covered[]): covered is readonly Covered[] {
  return Array.isArray(covered);
}

type Way = readonly [use: Use, operation: Operation, params: Params];

/** Output i of `expected` is output `places[i]` of `actual`: bit for bit, or as far as its own algorithm goes. */
function sameValues(law: string, subject: ExtensionSubject, what: string, places: readonly (number | undefined)[], exact: boolean, actual: Way, expected: Way): Finding | undefined {
  const options: InterpretOptions = exact ? { ...subject.interpret, arithmetic: 'exact' } : subject.interpret;
  const [values, wanted] = [actual, expected].map(([{ inputs }, operation, params]) => runOperation(operation, params, inputs, options)) as [readonly HostValue[], readonly HostValue[]];
  let finding: Finding | undefined;
  places.forEach((place, at) => {
    if (place === undefined) return;
    const [value, other] = [values[place], wanted[at] as HostValue];
    if (value === undefined || value.type.key !== other.type.key) throw new LawError(law, subject.name, `${what} gives ${value?.type.key ?? 'nothing'} for output ${at}, ${other.type.key}.`);
    const where = exact ? firstDifference(value.data, other.data) : undefined;
    if (where !== undefined) throw new LawError(law, subject.name, `${what} gives ${String(value.data[where])} for output ${at} at ${positionText(value.type, where)}, where the operation gives ${String(other.data[where])}. Where another algorithm decides, say \`exact: false\`.`);
    if (!exact) finding = worse(finding, compare(law, subject.name, `${what} output ${at} `, value, other, toleranceOf(subject)));
  });
  return finding;
}

function toleranceOf({ double }: ExtensionSubject): number {
  return double === undefined ? 1e-10 : 1e-4;
}

function runOperation(operation: Operation, params: Params, inputs: readonly HostValue[], options: InterpretOptions): readonly HostValue[] {
  const builder = new Builder();
  return interpretProgram(builder.build(builder.emit(operation, inputs.map(({ type }) => builder.input(type)), params)), inputs, options);
}

function instructionsOf({ program, extension }: ExtensionSubject): readonly Instruction[] {
  return program.instructions.filter(({ operation }) => extension === undefined || operation.family === extension.family);
}

/** Each operation, parameters and types once. */
function usesOf(subject: ExtensionSubject): readonly Use[] {
  const { program, inputs, interpret } = subject;
  const { values } = interpretAll(program, inputs, interpret);
  const valueOf = (atom: Atom): HostValue => (isLiteral(atom) ? { type: atom.type, data: atom.data } : (values.get(atom) as HostValue));
  const seen = new Set<string>();
  return instructionsOf(subject).flatMap((instruction): readonly Use[] => {
    const key = `${instruction.operation.id}{${paramsKey(instruction.params)}}${instruction.inputs.map(({ type }) => type.key).join()}`;
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ instruction, inputs: instruction.inputs.map(valueOf) }];
  });
}

function ruleAugments({ context }: ExtensionSubject, { operation }: Instruction): boolean {
  const rule = context.catalog.rule(operation);
  return rule.kind === 'rule' && rule.augment !== undefined;
}

/** All inputs that can be active, and each alone. */
function masksOf({ inputs }: Instruction): readonly (readonly boolean[])[] {
  const all = inputs.map(({ type }) => isInexact(type.dtype));
  const those = all.flatMap((is, at) => (is ? [at] : []));
  if (those.length === 0) return [];
  return [all, ...(those.length > 1 ? those.map((only) => all.map((_, at) => at === only)) : [])];
}

/** All outputs, each alone, and all but one. */
function livesOf(count: number): readonly (readonly boolean[])[] {
  const all = new Array<boolean>(count).fill(true);
  if (count === 1) return [all];
  const each = all.map((_, only) => all.map((_is, at) => at === only));
  return [all, ...each, ...(count > 2 ? each.map((live) => live.map((is) => !is)) : [])];
}
