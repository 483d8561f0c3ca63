/** What each value of a program is as a function of some of them, read off the rules. */
import { type AdContext, type Atom, type Control, elementCount, type Instruction, isInexact, isLiteral, linearInputsOf, type Program, TfError, type TypedArray } from '@tf/core';

/** Linear in the arguments, or independent of them: zero, or perhaps something else. */
export type LinearState = 'zero' | 'linear' | 'constant';

/** Throws an `UnsupportedRuleError` where something is neither linear nor independent. */
export class LinearStates {
  readonly #op: string;
  readonly #context: AdContext;

  constructor(op: string, context: AdContext) {
    this.#op = op;
    this.#context = context;
  }

  /** Of the outputs. */
  ofInstruction(instruction: Instruction, stateOf: (atom: Atom) => LinearState): readonly LinearState[] {
    const control = instruction.operation.traits.control?.(instruction.params);
    if (control !== undefined) return this.#control(instruction, control, instruction.inputs.map(stateOf));
    if (instruction.inputs.some((input) => stateOf(input) === 'linear')) return this.#dependent(instruction, stateOf);
    const state = this.#isZero(instruction, stateOf) ? 'zero' : 'constant';
    return instruction.outputs.map(({ type }) => (elementCount(type.shape) === 0 ? 'zero' : state));
  }

  ofProgram({ inputs, instructions, bound, outputs }: Program, given: readonly LinearState[]): readonly LinearState[] {
    const states = new Map<Atom, LinearState>(inputs.map((input, at) => [input, given[at] as LinearState]));
    for (const { variable } of bound) states.set(variable, 'constant');
    const stateOf = (atom: Atom): LinearState => (isLiteral(atom) ? (allZero(atom.data) ? 'zero' : 'constant') : (states.get(atom) as LinearState));
    for (const instruction of instructions) {
      const found = this.ofInstruction(instruction, stateOf);
      instruction.outputs.forEach((output, at) => states.set(output, found[at] as LinearState));
    }
    return outputs.map(stateOf);
  }

  /** Something that it takes is linear. */
  #dependent(instruction: Instruction, stateOf: (atom: Atom) => LinearState): readonly LinearState[] {
    const { operation, params, inputs, outputs } = instruction;
    const rule = this.#context.catalog.rule(operation);
    if (rule.kind === 'none') return this.#refuse(instruction, rule.reason);
    const active = inputs.map((input) => stateOf(input) === 'linear');
    const linear = linearInputsOf(rule, params, inputs.length);
    if (active.some((is, at) => is && !linear.includes(at))) return this.#refuse(instruction, 'it is not linear in what depends on the arguments');
    if (!outputs.every((output) => isInexact(output.type.dtype))) return this.#refuse(instruction, `it gives ${outputs.map(({ type }) => type.key).join(', ')}, which carries no tangent`);
    if (rule.linear?.how === 'each') {
      if (active.filter((is) => is).length > 1) return this.#refuse(instruction, 'it multiplies values that both depend on the arguments');
    } else {
      const constant = linear.find((at) => stateOf(inputs[at] as Atom) === 'constant');
      if (constant !== undefined) return this.#refuse(instruction, `input ${constant} is a constant other than zero, which makes the result affine`);
    }
    return outputs.map(() => 'linear');
  }

  #isZero(instruction: Instruction, stateOf: (atom: Atom) => LinearState): boolean {
    const { operation, params, inputs, outputs } = instruction;
    const rule = this.#context.catalog.rule(operation);
    if (rule.kind === 'none' || !outputs.every(({ type }) => isInexact(type.dtype))) return false;
    const linear = linearInputsOf(rule, params, inputs.length);
    if (rule.linear?.how === 'each') return linear.some((at) => stateOf(inputs[at] as Atom) === 'zero');
    return linear.length > 0 && linear.every((at) => stateOf(inputs[at] as Atom) === 'zero');
  }

  #control(instruction: Instruction, control: Control, given: readonly LinearState[]): readonly LinearState[] {
    switch (control.kind) {
      case 'call':
        return this.ofProgram(control.body, given);
      case 'branch':
        return control.branches.map((branch) => this.ofProgram(branch, given.slice(1))).reduce((all, states) => this.#join(instruction, all, states, 'result', 'in one branch', 'in another'));
      case 'scan': {
        const { body, constants, carries } = control;
        return this.#untilStable(instruction, given.slice(constants, constants + carries), (states) => this.ofProgram(body, [...given.slice(0, constants), ...states, ...given.slice(constants + carries)]));
      }
      case 'while': {
        const { condition, body, conditionConstants } = control;
        const first = conditionConstants + control.bodyConstants;
        return this.#untilStable(instruction, given.slice(first), (states) => {
          this.ofProgram(condition, [...given.slice(0, conditionConstants), ...states]);
          return this.ofProgram(body, [...given.slice(conditionConstants, first), ...states]);
        });
      }
    }
  }

  /** Carries are what they are before all iterations and after each; states only ever rise, so this ends. */
  #untilStable(instruction: Instruction, initial: readonly LinearState[], iterate: (carries: readonly LinearState[]) => readonly LinearState[]): readonly LinearState[] {
    let carries = initial;
    for (;;) {
      const results = iterate(carries);
      const joined = this.#join(instruction, carries, results.slice(0, carries.length), 'carry', 'before an iteration', 'after it');
      if (joined.every((state, at) => state === carries[at])) return [...carries, ...results.slice(carries.length)];
      carries = joined;
    }
  }

  #join(instruction: Instruction, a: readonly LinearState[], b: readonly LinearState[], what: string, there: string, here: string): readonly LinearState[] {
    return a.map((state, at) => {
      const other = b[at] as LinearState;
      if (state === other || other === 'zero') return state;
      if (state === 'zero') return other;
      const [linear, constant] = state === 'linear' ? [there, here] : [here, there];
      return this.#refuse(instruction, `${what} ${at} is linear ${linear} and a constant other than zero ${constant}`);
    });
  }

  #refuse({ operation }: Instruction, reason: string): never {
    throw notLinear(this.#op, operation.id, operation.family, reason);
  }
}

export function notLinear(op: string, operation: string, family: string | undefined, reason: string): TfError {
  return new TfError('UnsupportedRuleError', `${op}: the function is not linear: ${operation}: ${reason}. Use vjp for the derivative at a point.`, { op: operation, role: 'transpose', reason, ...(family === undefined ? {} : { family }) });
}

export function allZero(data: TypedArray): boolean {
  return data.every((element: number | bigint) => Number(element) === 0);
}
