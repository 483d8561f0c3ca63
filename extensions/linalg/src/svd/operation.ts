/** Singular values and vectors: A = U diag(s) Vᴴ, s descending, k = min(m, n) of them. */
import { applyOperation, type Covered, type Dim, type Operand, type Operation, type Params, realPart, type TensorType, tensorType, type Traits, type Var } from '@tf/core';
import { batchOf, defineOperation, matricesOf, smallerDim } from '../family.ts';

/** What a decomposition of A has, and of which types. */
interface Parts {
  readonly u: TensorType;
  readonly s: TensorType;
  readonly vh: TensorType;
}
export type SvdPart = keyof Parts;

function partsOf(op: string, a: TensorType, isFull: boolean): Parts {
  const { lead, rows, columns } = matricesOf(op, a);
  const k = smallerDim(op, rows, columns);
  return {
    u: tensorType(a.dtype, [...lead, rows, isFull ? rows : k]),
    s: tensorType(realPart(a.dtype), [...lead, k]),
    vh: tensorType(a.dtype, [...lead, isFull ? columns : k, columns]),
  };
}

/** Batch, rows, columns, and 1 where the algorithm that is sure rather than fast is asked for. */
function integers([a]: readonly TensorType[], { driver }: Params): readonly Dim[] {
  const matrices = matricesOf('svd', a as TensorType);
  return [batchOf(matrices), matrices.rows, matrices.columns, driver === 'gesvd' ? 1 : 0];
}

function decomposition(name: string, parts: readonly SvdPart[], further: { readonly traits?: Pick<Traits, 'prune' | 'covers'>; readonly lower?: NonNullable<Operation['lower']> } = {}): Operation {
  return defineOperation({
    name,
    operands: 1,
    infer: ([a]) => parts.map((part) => partsOf(name, a as TensorType, name === 'svdFull')[part]),
    ...(further.lower === undefined ? { integers } : {}),
    ...further,
  });
}

/** Values alone, by an algorithm that forms no vectors. */
export const svdvalsOperation: Operation = decomposition('svdvals', ['s']);
/** Vᴴ is not formed. */
export const svdLeftOperation: Operation = decomposition('svdLeft', ['u', 's'], { traits: formTraits(['u', 's']) });
/** U is not formed. */
export const svdRightOperation: Operation = decomposition('svdRight', ['s', 'vh'], { traits: formTraits(['s', 'vh']) });

const whole: readonly SvdPart[] = ['u', 's', 'vh'];

/** U [m, k], s, Vᴴ [k, n]. */
export const svdOperation: Operation = decomposition('svd', whole, { traits: formTraits(whole) });

/** U [m, m], s, Vᴴ [n, n]. */
export const svdFullOperation: Operation = decomposition('svdFull', ['u', 's', 'vh'], {
  traits: { prune: (params, [u, s, vh]) => (u === true || vh === true || s !== true ? undefined : { operation: svdvalsOperation, params, inputs: [0], outputs: [undefined, 0, undefined], exact: false }) },
});

/** The whole decomposition with the values first: what runs instead of `svdvals` where that is differentiated. */
export const svdFromValuesOperation: Operation = reordered('svdFromValues', ['s', 'u', 'vh']);
/** The whole decomposition with the left vectors last: what runs instead of `svdRight` where that is differentiated. */
export const svdFromRightOperation: Operation = reordered('svdFromRight', ['s', 'vh', 'u']);

function reordered(name: string, parts: readonly SvdPart[]): Operation {
  const { prune, covers } = formTraits(parts);
  return decomposition(name, parts, {
    lower: ([a], params) => {
      const [u, s, vh] = applyOperation(svdOperation, [a as Operand], params) as readonly Operand[];
      const found = { u, s, vh };
      return parts.map((part) => found[part] as unknown as Var);
    },
    traits: { prune, covers: (params) => [{ operation: svdOperation, params, outputs: placesOf(whole, parts) }, ...covers(params)] },
  });
}

function placesOf(wanted: readonly SvdPart[], parts: readonly SvdPart[]): readonly number[] {
  return wanted.map((part) => parts.indexOf(part));
}

/** The operations that form less than all, with what they form. */
const narrowerForms: readonly (readonly [parts: readonly SvdPart[], operation: () => Operation])[] = [[['s'], () => svdvalsOperation], [['u', 's'], () => svdLeftOperation], [['s', 'vh'], () => svdRightOperation]];

interface FormTraits {
  readonly prune: NonNullable<Traits['prune']>;
  readonly covers: (params: Params) => readonly Covered[];
}

/** Gives way to the operation that forms no more than what is read, and has what those compute that form less. */
function formTraits(parts: readonly SvdPart[]): FormTraits {
  const narrower = (): typeof narrowerForms => narrowerForms.filter(([own]) => own.length < parts.length && own.every((part) => parts.includes(part)));
  return {
    prune: (params, live) => {
      const wanted = parts.filter((_, at) => live[at] === true);
      const found = narrower().find(([own]) => wanted.every((part) => own.includes(part)));
      if (found === undefined) return undefined;
      const [own, operation] = found;
      return { operation: operation(), params, inputs: [0], outputs: parts.map((part) => (own.includes(part) ? own.indexOf(part) : undefined)), exact: false };
    },
    covers: (params) => narrower().map(([own, operation]) => ({ operation: operation(), params, outputs: placesOf(own, parts), exact: false })),
  };
}
