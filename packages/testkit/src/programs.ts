import { type AdContext, type Atom, Builder, type Derivative, type Dim, isInexact, type Program, replayProgram, scalarLiteral, type TensorType, valuesOf, type Var } from '@tf/core';

/** A function written with tf's public functions over Vars. */
export type VarFunction = (...inputs: readonly Var[]) => Atom | readonly Atom[];

/** The program of a function for inputs of these types. */
export function programOf(f: VarFunction, types: readonly TensorType[]): Program {
  const builder = new Builder();
  const result = f(...types.map((type) => builder.input(type)));
  return builder.build(Array.isArray(result) ? (result as readonly Atom[]) : [result as Atom]);
}

/** Inputs of a program that carry tangents. */
export function inexactInputs(program: Program): readonly number[] {
  return program.inputs.flatMap(({ type }, at) => (isInexact(type.dtype) ? [at] : []));
}

/** Outputs of a program that carry tangents. */
export function inexactOutputs(program: Program): readonly number[] {
  return program.outputs.flatMap(({ type }, at) => (isInexact(type.dtype) ? [at] : []));
}

/** (x…, ct of each inexact output…) ↦ cotangents of `wrt`, as a program that stands alone and can be differentiated. */
export function vjpProgram(context: AdContext, program: Program, wrt: readonly number[]): Program {
  const outputs = inexactOutputs(program);
  const derivative = context.pullback({ program, wrt, live: program.outputs.map((_, at) => outputs.includes(at)) });
  return standAlone(context, program, derivative, outputs.map((at) => (program.outputs[at] as Atom).type), wrt.map((at) => (program.inputs[at] as Var).type), wrt.map((_, at) => at));
}

/** (x…, dx of `wrt`…) ↦ tangents of the inexact outputs. */
export function jvpProgram(context: AdContext, program: Program, wrt: readonly number[]): Program {
  const outputs = inexactOutputs(program);
  const derivative = context.pushforward({ program, wrt, live: program.outputs.map(() => true) });
  return standAlone(context, program, derivative, wrt.map((at) => (program.inputs[at] as Var).type), outputs.map((at) => (program.outputs[at] as Atom).type), outputs);
}

/** Primal and derivative as one program; results where nothing flows are zeros. */
function standAlone(context: AdContext, program: Program, derivative: Derivative, seeds: readonly TensorType[], types: readonly TensorType[], wanted: readonly number[]): Program {
  const builder = new Builder();
  const env = new Map<Var, Atom>();
  for (const input of program.inputs) env.set(input, builder.input(input.type, input.name));
  for (const { variable, value } of program.bound) env.set(variable, builder.bind(variable.type, value));
  for (const constraint of program.constraints) builder.require(constraint);
  replayProgram<Atom>(program, env, (atom) => atom, (instruction, inputs) => builder.replay(instruction, inputs));
  const values = valuesOf(program);
  const given = [...derivative.residuals.map((at) => env.get(values[at] as Var) as Atom), ...seeds.map((type) => builder.input(type))];
  const inner = new Map<Var, Atom>(derivative.program.inputs.map((input, at) => [input, given[at] as Atom]));
  for (const constraint of derivative.program.constraints) builder.require(constraint);
  const outputs = replayProgram<Atom>(derivative.program, inner, (atom) => atom, (instruction, inputs) => builder.replay(instruction, inputs));
  return builder.build(wanted.map((which, at) => {
    const found = derivative.results[which];
    return found === undefined ? zeros(builder, context, types[at] as TensorType) : (outputs[found] as Atom);
  }));
}

function zeros(builder: Builder, context: AdContext, type: TensorType): Atom {
  return builder.emit(context.catalog.basis.broadcastTo, [scalarLiteral(type.dtype, 0)], { shape: type.shape as readonly Dim[] })[0] as Atom;
}
