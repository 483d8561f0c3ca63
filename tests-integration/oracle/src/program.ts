import { type DType, isComplex, type Operand } from '@tf/core';
import { type Case, FormatError, type Step } from './format.ts';
import { ArgumentReader, type OperationTable } from './operations/operation.ts';

/** The computation of a case over operands of any kind, in the order of its inputs. */
export type Body = (inputs: readonly Operand[]) => readonly Operand[];

function carryOut(table: OperationTable, step: Step, inputs: readonly Operand[]): readonly Operand[] {
  const operation = table.get(step.op);
  if (operation === undefined) throw new FormatError(`${step.op} is not in the table`);
  const args = new ArgumentReader(step.op, step.args);
  const outputs = operation(inputs, args);
  args.finish();
  return outputs;
}

/** The steps one after the other. */
export function bodyOf({ names, steps, result }: Case, table: OperationTable): Body {
  return (inputs) => {
    const env = new Map<string, Operand>(names.map((name, at) => [name, inputs[at] as Operand]));
    let last: readonly Operand[] = [];
    for (const step of steps) {
      last = carryOut(table, step, step.in.map((name) => env.get(name) as Operand));
      if (step.out.length > last.length) throw new FormatError(`${step.op}: has ${last.length} outputs, the program names ${step.out.length}`);
      step.out.forEach((name, at) => env.set(name, last[at] as Operand));
    }
    return result === undefined ? last : result.map((name) => env.get(name) as Operand);
  };
}

/** Operations whose results are complex though their operands are not. */
const makesComplex: ReadonlySet<string> = new Set(['complex', 'fft', 'ifft', 'rfft', 'ihfft', 'fftn', 'ifftn', 'rfftn', 'eig', 'eigvals']);
/** Operations whose results are real though their operands are complex. */
const makesReal: ReadonlySet<string> = new Set(['abs', 'real', 'imag', 'angle', 'irfft', 'hfft', 'irfftn', 'svdvals', 'eigvalsh', 'vector_norm', 'matrix_norm', 'cond']);
/** The one real result of operations that have several. */
const realResult: ReadonlyMap<string, number> = new Map([['svd', 1], ['eigh', 0], ['slogdet', 1]]);

function staysComplex(op: string, output: number): boolean {
  return !makesReal.has(op) && realResult.get(op) !== output;
}

/** What a case needs that is not there: an operation, or one that is there in a dtype that the engine does not run. */
export function missingFor({ names, inputs, steps }: Case, table: OperationTable, engine: string, runs: readonly DType[]): readonly string[] {
  const missing = new Set<string>();
  const complex = new Map<string, DType>();
  inputs.forEach(({ dtype }, at) => {
    if (isComplex(dtype)) complex.set(names[at] as string, dtype);
  });
  for (const { op, in: uses, out } of steps) {
    const dtype = uses.map((name) => complex.get(name)).find((found) => found !== undefined) ?? (makesComplex.has(op) ? 'complex128' : undefined);
    if (!table.has(op)) missing.add(op);
    else if (dtype !== undefined && !runs.includes(dtype)) missing.add(`${op}[${dtype}] (complex on ${engine})`);
    out.forEach((name, at) => {
      if (dtype !== undefined && staysComplex(op, at)) complex.set(name, dtype);
    });
  }
  return [...missing];
}
