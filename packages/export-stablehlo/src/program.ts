/** Programs as function bodies. */
import { type Atom, Builder, type DimBinding, invariant, isLiteral, linearDim, type Operand, passes, type Program, replayProgram, solveDim, type Target, tensorType, type Var } from '@tf/core';
import { constantData } from './constants.ts';
import type { WriteRegion } from './control.ts';
import type { Emitter } from './emitter.ts';
import { emitInstruction, type Writer } from './instruction.ts';
import type { ModuleWriter } from './module.ts';
import type { Roles } from './roles.ts';
import { dtypeOf, type Value, type ValueType } from './text.ts';

/** Rewritten by core's passes, for a target that has no kernels: what has a lowering and no role is lowered. */
export function prepared(program: Program, roles: Roles): Program {
  const target: Target = { kernels: new Set(), exact: false, lowered: new Map(), carries: ({ operation }) => roles.of(operation) !== undefined };
  return passes.reduce((current, pass) => pass.run(current, target), program);
}

/** Writes the instructions; `env` holds the inputs and the bound inputs. */
export function emitProgram(emitter: Emitter, module: ModuleWriter, roles: Roles, program: Program, env: Map<Var, Value>): readonly Value[] {
  const writer: Writer = { module, roles, region: regionWriter(module, roles), apply: (own, f, operands) => applied(own, module, roles, f, operands) };
  return replayProgram<Value>(program, env, (atom) => literalValue(emitter, atom), (instruction, operands) => emitInstruction(emitter, writer, instruction, operands));
}

/** What functions over Vars compute of values, in their place. */
function applied(emitter: Emitter, module: ModuleWriter, roles: Roles, f: (...operands: readonly Operand[]) => Operand | readonly Operand[], operands: readonly Value[]): readonly Value[] {
  const builder = new Builder();
  const inputs = operands.map(({ element, shape }) => builder.input(tensorType(dtypeOf(element), shape)));
  const given = f(...(inputs as readonly Operand[]));
  const program = prepared(builder.build((Array.isArray(given) ? given : [given]) as readonly Var[]), roles);
  const env = new Map(program.inputs.map((input, at) => [input, operands[at] as Value]));
  for (const bound of program.bound) env.set(bound.variable, emitter.data(bound.variable.type.dtype, emitter.extents(bound.variable.type.shape), constantData(bound, emitter.extents(bound.variable.type.shape))));
  return emitProgram(emitter, module, roles, program, env);
}

function literalValue(emitter: Emitter, atom: Atom): Value {
  invariant(isLiteral(atom), 'a variable is no literal');
  return emitter.data(atom.type.dtype, emitter.extents(atom.type.shape), atom.data);
}

/** Regions are known by identity: each is written once per list of operand types. */
function regionWriter(module: ModuleWriter, roles: Roles): WriteRegion {
  return (emitter, region, operands, stem) =>
    module.define(`region ${module.numberOf(region)} ${operands.map(({ element, shape }) => `${element}[${shape.join()}]`).join()}`, stem, () => {
      const inside = prepared(region, roles);
      return {
        takes: operands,
        binding: boundBy(inside, operands, emitter.binding),
        body: (own, taken) => emitProgram(own, module, roles, inside, new Map(inside.inputs.map((input, at) => [input, taken[at] as Value]))),
      };
    });
}

/** The sizes of the symbols in a region: by what it is given, else as around it. */
function boundBy(program: Program, operands: readonly ValueType[], outer: DimBinding): DimBinding {
  const binding = new Map(outer);
  program.inputs.forEach(({ type }, at) => type.shape.forEach((dim, axis) => {
    const linear = linearDim(dim);
    const size = linear === undefined ? undefined : solveDim(linear, operands[at]?.shape[axis] as number);
    if (linear !== undefined && size !== undefined) binding.set(linear.symbol, size);
  }));
  return binding;
}
