import type { Atom, Program, Var } from '../../contract.ts';
import { TfError } from '../../errors.ts';
import { Builder, traceRegion } from '../../program/builder.ts';
import { chooseListener } from '../../program/dispatch.ts';
import { scalarLiteral, weakLiteral } from '../../program/literal.ts';
import { replayProgram } from '../../program/walk.ts';
import { commonDType } from '../arguments.ts';
import { describe } from '../../types/argument.ts';
import type { DType } from '../../types/dtype.ts';
import { isOperand, type Operand } from '../../types/operand.ts';
import { type TensorType, tensorType, typeText } from '../../types/tensor-type.ts';
import { broadcastToPrimitive } from '../movement.ts';
import { type FlatTree, flattenTree, sameStructure, type TreeStructure, unflattenTree } from '../../types/tree.ts';

/** A user's function as a region. */
export interface OpenedRegion {
  /** Inputs: captures, then the arguments. */
  readonly program: Program;
  readonly captures: readonly Operand[];
  /** How the results are nested. */
  readonly structure: TreeStructure;
}

/** Runs a function of trees on values of the region, whose leaves have these types; `starts` are what decides who runs it. */
export function openRegion(op: string, starts: readonly unknown[], f: (...args: readonly unknown[]) => unknown, args: readonly { readonly structure: TreeStructure; readonly types: readonly TensorType[] }[]): OpenedRegion {
  let structure: TreeStructure | undefined;
  const body = (operands: readonly Operand[]): readonly Operand[] => {
    let next = 0;
    const trees = args.map((arg) => unflattenTree(arg.structure, operands.slice(next, (next += arg.types.length))));
    const result = f(...trees);
    requireSynchronous(op, result);
    const flat = flattenTree(result);
    structure = flat.structure;
    return flat.leaves.map((leaf, at) => requireResult(op, flat, leaf, at));
  };
  const types = args.flatMap((arg) => arg.types);
  const operands = starts.filter(isOperand);
  const listener = operands.length === 0 ? undefined : chooseListener(op, operands);
  const { program, captures } = (listener?.region ?? ((own, of) => traceRegion(own, of, { scalar: (value, dtype) => weakLiteral(dtype, value) })))(body, types, operands);
  return { program: program as Program, captures, structure: structure as TreeStructure };
}

/** A program is built synchronously. */
export function requireSynchronous(op: string, result: unknown): void {
  if (typeof (result as { readonly then?: unknown } | null | undefined)?.then !== 'function') return;
  throw new TfError('AsyncCallbackError', `${op}: the function returned a promise. A program is built synchronously: await before, and pass the value in.`, { op });
}

function requireResult(op: string, { paths }: FlatTree, leaf: unknown, at: number): Operand {
  if (isOperand(leaf)) return leaf;
  const where = paths[at] === '' ? 'the function\'s result' : `${String(paths[at])} of the function's result`;
  throw new TfError('ArgumentError', `${op}: ${where} is ${describe(leaf)}, not a tensor. Wrap numbers: tensor(${typeof leaf === 'number' ? String(leaf) : '…'}).`, { op });
}

/** The leaves of a tree of operands and numbers in one form: numbers are weak, and take a dtype when they are lifted. */
export function requireLeaves(op: string, argument: string, { leaves, paths }: FlatTree): readonly Leaf[] {
  return leaves.map((leaf, at) => {
    if (isOperand(leaf) || typeof leaf === 'number' || typeof leaf === 'boolean') return leaf;
    throw new TfError('ArgumentError', `${op}: ${argument}${paths[at] === '' ? '' : ` at ${String(paths[at])}`} is ${describe(leaf)}, not a tensor or number. Wrap arrays: tensor([...]).`, { op, argument });
  });
}

/** A tensor, or a number that takes a dtype when it is lifted. */
export type Leaf = Operand | number | boolean;

/** The types of leaves: those that are given, else a tensor's own; a number takes the real dtype in which it meets all tensors. */
export function leafTypes(leaves: readonly Leaf[], given: readonly (TensorType | undefined)[] = [], others: readonly Operand[] = []): readonly TensorType[] {
  const tensors = [...leaves.filter(isOperand), ...others].filter(({ type }) => type.dtype !== 'bool');
  const meeting = (leaf: Leaf): DType => {
    if (typeof leaf === 'boolean') return 'bool';
    const dtype = commonDType([leaf, ...tensors], 'common');
    return dtype === 'complex64' ? 'float32' : dtype === 'complex128' ? 'float64' : dtype;
  };
  return leaves.map((leaf, at) => given[at] ?? (isOperand(leaf) ? leaf.type : tensorType(meeting(leaf), [])));
}

export function requireSameStructure(op: string, what: string, actual: TreeStructure, expected: TreeStructure): void {
  if (sameStructure(actual, expected)) return;
  throw new TfError('ArgumentError', `${op}: ${what} is nested otherwise than it must be. The function must give back the arrays and records that it got, in the same order and with the same names.`, { op });
}

export function typesText(types: readonly TensorType[]): string {
  return `(${types.map(typeText).join(', ')})`;
}

/** The program with other inputs: input i of before is the one at `places[i]`; nothing reads the others. */
export function withInputs(program: Program, types: readonly TensorType[], places: readonly number[]): Program {
  const builder = new Builder();
  const inputs = types.map((type) => builder.input(type));
  const env = new Map<Var, Atom>(program.inputs.map((input, at) => [input, inputs[places[at] as number] as Var]));
  for (const constraint of program.constraints) builder.require(constraint);
  return builder.build(replayInto(builder, program, env));
}

/** Appends the instructions of a program whose inputs stand in `env`; gives what its outputs are. */
export function replayInto(builder: Builder, program: Program, env: Map<Var, Atom>): readonly Atom[] {
  return replayProgram<Atom>(program, env, (atom) => atom, (instruction, inputs) => builder.replay(instruction, inputs));
}

/** Positions `from … from + count − 1`. */
export function range(count: number, from = 0): readonly number[] {
  return Array.from({ length: count }, (_, at) => from + at);
}

/** Zeros in a program under construction: a rule's own context emits outside it. */
export function zerosIn(builder: Builder, type: TensorType): Var {
  return builder.emit(broadcastToPrimitive.operation, [scalarLiteral(type.dtype, 0)], { shape: type.shape })[0] as Var;
}
