/** Random numbers of a program that no argument of it has a part in: every run draws the same. */
import { type Atom, type Control, type Instruction, type Program, TfError, type Var } from '@tf/core';

/** What was found so far, of a program and of those inside it. */
interface Findings {
  drawsTheSame: boolean;
}

/**
 * Refuses a program that draws random numbers with a key which is no argument and was not made from one.
 *
 * @throws ArgumentError, with the remedies.
 */
export function refuseCapturedKeys(op: string, program: Program): void {
  if (!program.instructions.some(({ operation: { traits } }) => traits.random === true || traits.control !== undefined)) return;
  const findings: Findings = { drawsTheSame: false };
  varying(program, program.inputs.map(() => true), findings);
  if (!findings.drawsTheSame) return;
  throw new TfError('ArgumentError', `${op}: random numbers are drawn with a key that is no argument, so every call would draw the same ones. Pass the key: jit((x, key) => …), and give each call its own by splitKey or foldIn. Where the same numbers are meant, draw them once outside (evaluate(normal(key, shape), engine)), or say so: { capturedKeys: 'reuse' }.`, { op, argument: 'key' });
}

/** Which outputs depend on inputs that may differ from run to run, `given`. */
function varying(program: Program, given: readonly boolean[], findings: Findings): readonly boolean[] {
  const found = new Set<Atom>(program.inputs.filter((_, at) => given[at] === true));
  for (const instruction of program.instructions) {
    const { inputs, outputs, operation: { traits }, params } = instruction;
    const own = inputs.map((input) => found.has(input));
    if (traits.random === true && !own.includes(true)) findings.drawsTheSame = true;
    const control = traits.control?.(params);
    const results = control === undefined ? outputs.map(() => own.includes(true)) : varyingOf(instruction, control, own, findings);
    outputs.forEach((output: Var, at) => results[at] === true && found.add(output));
  }
  return program.outputs.map((output) => found.has(output));
}

/** Of an instruction that runs programs. Their inputs are the instruction's, but for the index of a branch. */
function varyingOf({ outputs }: Instruction, control: Control, given: readonly boolean[], findings: Findings): readonly boolean[] {
  switch (control.kind) {
    case 'call':
      return varying(control.body, given, findings);
    case 'branch': {
      const each = control.branches.map((branch) => varying(branch, given.slice(1), findings));
      return outputs.map((_, at) => given[0] === true || each.some((results) => results[at] === true));
    }
    case 'scan':
      return afterIterations(control.body, { given, constants: control.constants, carries: control.carries }, findings);
    case 'while': {
      const { conditionConstants, bodyConstants } = control;
      const carries = given.length - conditionConstants - bodyConstants;
      const results = afterIterations(control.body, { given: given.slice(conditionConstants), constants: bodyConstants, carries }, findings);
      const [holds] = varying(control.condition, [...given.slice(0, conditionConstants), ...results], findings);
      return results.map((result) => result || holds === true);
    }
  }
}

/** What a body's outputs are once no further carry becomes one that varies. */
function afterIterations(body: Program, { given, constants, carries }: { readonly given: readonly boolean[]; readonly constants: number; readonly carries: number }, findings: Findings): readonly boolean[] {
  const inputs = [...given];
  for (;;) {
    const quiet: Findings = { drawsTheSame: false };
    const results = varying(body, inputs, quiet);
    const grown = Array.from({ length: carries }, (_, at) => at).filter((at) => results[at] === true && inputs[constants + at] !== true);
    for (const at of grown) inputs[constants + at] = true;
    if (grown.length > 0) continue;
    findings.drawsTheSame ||= quiet.drawsTheSame;
    // A carry that no iteration changes is what it was.
    return results.map((result, at) => result || (at < carries && inputs[constants + at] === true));
  }
}
