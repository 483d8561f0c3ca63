/** Programs as function bodies. */
import { type Atom, type DimBinding, invariant, isLiteral, linearDim, passes, type Program, replayProgram, solveDim, type Var } from '@tf/core';
import type { WriteRegion } from './control.ts';
import type { Emitter } from './emitter.ts';
import { emitInstruction } from './instruction.ts';
import type { ModuleWriter } from './module.ts';
import type { Value, ValueType } from './text.ts';

/** Rewritten by core's passes, for a target that has no kernels: what has a lowering is lowered. */
export function prepared(program: Program): Program {
  return passes.reduce((current, pass) => pass.run(current), program);
}

/** Writes the instructions; `env` holds the inputs and the bound inputs. */
export function emitProgram(emitter: Emitter, module: ModuleWriter, program: Program, env: Map<Var, Value>): readonly Value[] {
  const writer = { module, region: regionWriter(module) };
  return replayProgram<Value>(program, env, (atom) => literalValue(emitter, atom), (instruction, operands) => emitInstruction(emitter, writer, instruction, operands));
}

function literalValue(emitter: Emitter, atom: Atom): Value {
  invariant(isLiteral(atom), 'a variable is no literal');
  return emitter.data(atom.type.dtype, emitter.extents(atom.type.shape), atom.data);
}

/** Regions are known by identity: each is written once per list of operand types. */
function regionWriter(module: ModuleWriter): WriteRegion {
  return (emitter, region, operands, stem) =>
    module.define(`region ${module.numberOf(region)} ${operands.map(({ element, shape }) => `${element}[${shape.join()}]`).join()}`, stem, () => {
      const inside = prepared(region);
      return {
        takes: operands,
        binding: boundBy(inside, operands, emitter.binding),
        body: (own, taken) => emitProgram(own, module, inside, new Map(inside.inputs.map((input, at) => [input, taken[at] as Value]))),
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
