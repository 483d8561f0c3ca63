import type { Kind, Operand } from '../../types/operand.ts';

/** What a function of a region gets for a tree of operands: the same tree, with tensors for numbers. */
export type OpenedTree<T> = T extends Operand ? T
  : T extends number ? Operand<Kind, 'float64'>
  : T extends boolean ? Operand<Kind, 'bool'>
  : T extends object ? { readonly [Key in keyof T]: OpenedTree<T[Key]> }
  : T;
