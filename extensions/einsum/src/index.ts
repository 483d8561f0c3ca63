/**
 * Contractions of any number of tensors: an equation is read (`equation`), meets its operands (`resolve`), an order is found
 * (`path`), and pairs of tensors are contracted (`contract`), which core carries out as matrix products.
 */
export { type Contracted, einsum } from './einsum.ts';
export { type ContractionPath, contractionPath, type OperandOrShape, type PathStep } from './contraction-path.ts';
export type { CheckedEquation, EquationProblem, ListedOperands } from './equation-types.ts';
export type { ListedLabel } from './equation.ts';
export { einsumExtension } from './extension.ts';
export type { EinsumOptions } from './options.ts';
export type { ListedPath, PathTree } from './path/explicit.ts';
export type { Pair } from './path/network.ts';
export type { Strategy } from './path/search.ts';
