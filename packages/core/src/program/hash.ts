import type { Atom, Instruction, Params, ParamValue, Program, Var } from '../contract.ts';
import { sameDim } from '../types/dim.ts';
import { isLiteral, literalText, sameLiteral } from './literal.ts';
import { ValueMap } from './numbered-map.ts';
import { sameOperation } from './operation-key.ts';
import { isDimExpr, isProgram, paramNames } from './params.ts';
import { paramsKey } from './print.ts';

/** Mixes text into a 32-bit hash (FNV-1a, Fowler, Noll and Vo 1991). */
export function mixText(hash: number, text: string): number {
  let mixed = hash;
  for (let at = 0; at < text.length; at++) mixed = Math.imul(mixed ^ text.charCodeAt(at), 0x01000193);
  return mixed >>> 0;
}

export const hashSeed = 0x811c9dc5;

/**
 * A hash of the program's structure: operations, parameters, types, literals, wiring. Names, identities, creation
 * numbers and the values of bound inputs do not enter. Equal hashes prove nothing: compare with {@link sameProgram}.
 */
export function programHash(program: Program): number {
  const ids = new ValueMap<number>();
  const texts = new Texts();
  let count = 0;
  let hash = mixNumber(mixNumber(hashSeed, program.inputs.length), program.bound.length);
  const define = (variable: Var): void => {
    ids.set(variable, count++);
    hash = mixNumber(hash, texts.hash(variable.type.key));
  };
  const use = (atom: Atom): void => {
    hash = mixNumber(hash, isLiteral(atom) ? texts.hash(literalText(atom)) : (ids.get(atom) as number));
  };
  for (const input of program.inputs) define(input);
  for (const { variable } of program.bound) define(variable);
  for (const { operation, inputs, params, outputs } of program.instructions) {
    hash = mixNumber(hash, texts.hash(operation.id));
    for (const input of inputs) use(input);
    hash = mixNumber(hash, texts.hash(paramsKey(params)));
    for (const output of outputs) define(output);
  }
  for (const output of program.outputs) use(output);
  return hash;
}

function mixNumber(hash: number, number: number): number {
  return Math.imul(hash ^ number, 0x01000193) >>> 0;
}

/** Hashes of texts that come again and again. */
class Texts {
  readonly #known = new Map<string, number>();

  hash(text: string): number {
    let hash = this.#known.get(text);
    if (hash === undefined) this.#known.set(text, (hash = mixText(hashSeed, text)));
    return hash;
  }
}

/** Whether two programs are the same up to names, identities and the values of bound inputs. */
export function sameProgram(a: Program, b: Program): boolean {
  const work: [Program, Program][] = [[a, b]];
  for (let pair = work.pop(); pair !== undefined; pair = work.pop()) {
    if (pair[0] !== pair[1] && !sameBody(pair[0], pair[1], work)) return false;
  }
  return true;
}

function sameBody(a: Program, b: Program, regions: [Program, Program][]): boolean {
  if (a.instructions.length !== b.instructions.length || a.constraints.length !== b.constraints.length) return false;
  const twins = new ValueMap<Var>();
  const define = (x: readonly Var[], y: readonly Var[]): boolean =>
    x.length === y.length && x.every((variable, at) => {
      const twin = y[at] as Var;
      twins.set(variable, twin);
      return variable.type.key === twin.type.key;
    });
  const use = (x: readonly Atom[], y: readonly Atom[]): boolean => x.length === y.length && x.every((atom, at) => sameAtom(atom, y[at] as Atom, twins));
  if (!define(a.inputs, b.inputs)) return false;
  if (!define(a.bound.map(({ variable }) => variable), b.bound.map(({ variable }) => variable))) return false;
  for (let at = 0; at < a.instructions.length; at++) {
    const x = a.instructions[at] as Instruction;
    const y = b.instructions[at] as Instruction;
    if (!sameOperation(x.operation, y.operation) || !use(x.inputs, y.inputs) || !sameParams(x.params, y.params, regions)) return false;
    if (!define(x.outputs, y.outputs)) return false;
  }
  const constraints = a.constraints.every((constraint, at) => {
    const other = b.constraints[at];
    return other !== undefined && constraint.relation === other.relation && sameDim(constraint.left, other.left) && sameDim(constraint.right, other.right);
  });
  return constraints && use(a.outputs, b.outputs);
}

function sameAtom(x: Atom, y: Atom, twins: ValueMap<Var>): boolean {
  if (isLiteral(x)) return isLiteral(y) && sameLiteral(x, y);
  return !isLiteral(y) && twins.get(x) === y;
}

function sameParams(a: Params, b: Params, regions: [Program, Program][]): boolean {
  const names = paramNames(a);
  const others = paramNames(b);
  return names.length === others.length && names.every((name, at) => name === others[at] && sameValue(a[name] as ParamValue, b[name] as ParamValue, regions));
}

function sameValue(x: ParamValue, y: ParamValue, regions: [Program, Program][]): boolean {
  if (Object.is(x, y)) return true;
  if (typeof x !== 'object' || typeof y !== 'object' || x === null || y === null) return false;
  if (isDimExpr(x)) return isDimExpr(y) && sameDim(x, y);
  if (isProgram(x)) {
    if (!isProgram(y)) return false;
    regions.push([x, y]);
    return true;
  }
  if (isDimExpr(y) || isProgram(y)) return false;
  const list = x as readonly ParamValue[];
  const other = y as readonly ParamValue[];
  return list.length === other.length && list.every((item, at) => sameValue(item, other[at] as ParamValue, regions));
}
