import { type Atom, batchRuleOf, dtypes, type Instruction, type Program, type TensorType, type TypedArray } from '@tf/core';
import { inexactOutputs, vjpProgram } from '../programs.ts';
import { countOf, extentsOf, type HostValue, hostValue, knownShape, setLane } from '../values.ts';
import { compare, type Finding, LawError, worse } from './law.ts';
import { directions, type ExtensionLaw, type ExtensionSubject, isDifferentiable, run } from './subject.ts';

/** How many elements the batches have: another number than most extents. */
const SIZE = 3;

export const batchLaw: ExtensionLaw = {
  name: 'batch',
  equation: 'batch(f)(X) = stack(f(xᵢ)), and the same for the vjp of f',
  concerns: ({ program, context }) => program.inputs.length > 0 && canBatch(context.catalog, program),
  check: (subject) => {
    const { program, inputs, context, wrt } = subject;
    let finding = everyWay(subject, 'the value of output', program, inputs);
    if (!isDifferentiable(subject)) return finding;
    const reverse = vjpProgram(context, program, wrt);
    if (!canBatch(context.catalog, reverse)) return finding;
    const ct = directions(subject, inexactOutputs(program).map((at) => (program.outputs[at] as Atom).type), 9);
    finding = worse(finding, everyWay(subject, 'the cotangent', reverse, [...inputs, ...ct]));
    return finding;
  },
};

function canBatch(catalog: ExtensionSubject['context']['catalog'], { instructions }: Program): boolean {
  return instructions.every(({ operation }) => typeof batchRuleOf(catalog, operation) === 'function');
}

/** With all inputs batched, and each alone. */
function everyWay(subject: ExtensionSubject, what: string, program: Program, inputs: readonly HostValue[]): Finding | undefined {
  const all = inputs.map(() => true);
  const alone = inputs.length === 1 ? [] : inputs.map((_, only) => inputs.map((_, at) => at === only));
  let finding: Finding | undefined;
  for (const batched of [all, ...alone]) finding = worse(finding, checkBatch(subject, what, program, inputs, batched));
  return finding;
}

function checkBatch(subject: ExtensionSubject, what: string, program: Program, inputs: readonly HostValue[], batched: readonly boolean[]): Finding | undefined {
  const whole = subject.context.batch({ program, batched, size: SIZE });
  const elements = Array.from({ length: SIZE }, (_, element) => inputs.map((input, at) => (batched[at] === true ? rotated(input, element) : input)));
  const given = inputs.map((input, at) => (batched[at] === true ? stacked(elements.map((element) => element[at] as HostValue)) : input));
  const actual = run(subject, whole.program, given);
  const expected = elements.map((element) => run(subject, program, element));
  let finding: Finding | undefined;
  actual.forEach((value, at) => {
    const parts = expected.map((outputs) => outputs[at] as HostValue);
    const single = dtypes[value.type.dtype].bytes / dtypes[value.type.dtype].lanes === 4;
    const name = `${what} ${at}, inputs [${batched.join(', ')}] batched, `;
    if (whole.batched[at] === true) finding = worse(finding, compare('batch', subject.name, name, value, stacked(parts), single ? 1e-4 : 1e-11));
    else if (!batched.some((is, input) => is && dependsOn(program, at, input))) finding = worse(finding, compare('batch', subject.name, name, value, parts[0] as HostValue, 0));
    else throw new LawError('batch', subject.name, `${name}depends on a batched input and has no batch axis.`);
  });
  return finding;
}

function dependsOn(program: Program, output: number, input: number): boolean {
  return reachedOutputs(program, program.inputs.map((_, at) => at === input))[output] === true;
}

/** Which outputs of a program depend on inputs that are marked. */
function reachedOutputs(program: Program, marked: readonly boolean[]): readonly boolean[] {
  const reached = new Set<Atom>(program.inputs.filter((_, at) => marked[at] === true));
  for (const instruction of program.instructions) {
    const given = instruction.inputs.map((atom) => reached.has(atom));
    if (given.includes(true)) reachedBy(instruction, given).forEach((is, at) => (is ? reached.add(instruction.outputs[at] as Atom) : undefined));
  }
  return program.outputs.map((output) => reached.has(output));
}

/** The same of one instruction: through what it runs, where that is a program. */
function reachedBy({ operation, params, outputs }: Instruction, given: readonly boolean[]): readonly boolean[] {
  const all = outputs.map(() => true);
  const control = operation.traits.control?.(params);
  switch (control?.kind) {
    case 'call':
      return reachedOutputs(control.body, given);
    case 'branch': {
      const each = control.branches.map((branch) => reachedOutputs(branch, given.slice(1)));
      return given[0] === true ? all : all.map((_, at) => each.some((branch) => branch[at] === true));
    }
    case 'scan': {
      const { body, constants, carries } = control;
      let marked = given;
      for (;;) {
        const found = reachedOutputs(body, marked);
        const next = marked.map((is, at) => is || (at >= constants && at < constants + carries && found[at - constants] === true));
        if (next.every((is, at) => is === marked[at])) return found.map((is, at) => is || (at < carries && marked[constants + at] === true));
        marked = next;
      }
    }
    default:
      return all;
  }
}

/** The same elements in another order: whatever holds for each of them still does. */
function rotated({ type, data }: HostValue, by: number): HostValue {
  const { lanes } = dtypes[type.dtype];
  const shape = knownShape(type.shape);
  const values = Array.from({ length: data.length }, (_, at) => data[(at + by * lanes) % data.length] as number | bigint);
  return hostValue(type.dtype, shape, values);
}

function stacked(values: readonly HostValue[]): HostValue {
  const [first] = values as readonly [HostValue];
  const shape = [values.length, ...extentsOf(first)];
  const result = hostValue(first.type.dtype, shape, zerosLike(first.type, countOf(shape)));
  let next = 0;
  for (const { data } of values) for (let at = 0; at < data.length; at++) setLane(result.data, next++, data[at] as number | bigint);
  return result;
}

function zerosLike(type: TensorType, count: number): readonly (number | bigint)[] | TypedArray {
  return new Array<number>(count * dtypes[type.dtype].lanes).fill(0);
}
