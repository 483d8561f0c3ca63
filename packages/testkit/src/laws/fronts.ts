import { add, type Operand, real, sum, tensor, type TypedArray, isComplex, type Var } from '@tf/core';
import { inexactOutputs, type VarFunction } from '../programs.ts';
import { extentsOf, firstDifference, type HostValue } from '../values.ts';
import { LawError } from './law.ts';
import { type ExtensionSubject, isDifferentiable } from './subject.ts';

/**
 * A mode in which users call a family, on an engine: given by whoever runs the suite, because the kit knows none. `run` gives the data of
 * `loss(...inputs)`, a real scalar, and then of its gradient by each input that `wrt` lists.
 */
export interface ExtensionFront {
  readonly name: string;
  readonly run: (loss: (...inputs: readonly Operand[]) => Operand, inputs: readonly Operand[], wrt: readonly number[]) => readonly TypedArray[] | Promise<readonly TypedArray[]>;
}

export const frontsEquation = 'f and its gradient have the same bits in every mode';

/** Whether a case has a value to compare, and inputs that no mode would have to guess. */
export function concernsFronts({ program }: ExtensionSubject): boolean {
  return inexactOutputs(program).length > 0 && program.bound.length === 0;
}

/** All modes against the first. */
export async function checkFronts(subject: ExtensionSubject, f: VarFunction, fronts: readonly ExtensionFront[]): Promise<void> {
  const { name, program, inputs } = subject;
  const outputs = inexactOutputs(program);
  const wrt = isDifferentiable(subject) ? subject.wrt : [];
  const loss = (...operands: readonly Operand[]): Operand => {
    const results = f(...(operands as readonly Var[]));
    const all = (Array.isArray(results) ? results : [results]) as readonly Operand[];
    return outputs.map((at) => total(all[at] as Operand)).reduce((left, right) => add(left, right) as Operand);
  };
  const found: (readonly TypedArray[])[] = [];
  for (const front of fronts) found.push(await front.run(loss, inputs.map(hostTensor), wrt));
  found.slice(1).forEach((values, at) => {
    [undefined, ...wrt].forEach((input, which) => {
      const [mine, first] = [values[which], found[0]?.[which]];
      const where = mine === undefined || first === undefined ? 0 : firstDifference(mine, first);
      if (where === undefined) return;
      throw new LawError('fronts', name, `${input === undefined ? 'the value' : `the gradient by input ${input}`} is ${String(mine?.[where])} at lane ${where} with ${fronts[at + 1]?.name}, ${String(first?.[where])} with ${fronts[0]?.name}.`);
    });
  });
}

/** Σ Re: what a cotangent of ones sees. */
function total(x: Operand): Operand {
  return sum((isComplex(x.type.dtype) ? real(x as never) : x) as Operand) as Operand;
}

function hostTensor(value: HostValue): Operand {
  return tensor(value.data as Float64Array, { shape: extentsOf(value), dtype: value.type.dtype }) as unknown as Operand;
}
