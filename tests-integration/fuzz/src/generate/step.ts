import { type DType, isComplex, isInexact, listenerKey, type Operand, type Operation, type TensorType } from '@tf/core';

/** What a step may be steered by. */
export interface Steer {
  readonly n: number;
  readonly m: number;
  readonly constant: number;
  readonly dtype: DType;
}

/** Whether a value can be the next operand of a step, given those chosen before it. */
export type Take = (type: TensorType, chosen: readonly TensorType[]) => boolean;

/** One kind of step: what it takes, and how often it is drawn. `apply` sees operands of any front end. */
export interface StepKind {
  readonly takes: readonly Take[];
  readonly apply: (operands: readonly Operand[], steer: Steer) => Operand;
  readonly weight: number;
}

type Dimensions = readonly number[];

export function shapeOf(x: Operand): Dimensions {
  return x.type.shape as Dimensions;
}

export function rankOf(x: Operand): number {
  return x.type.shape.length;
}

// ---------------------------------------------------------------- what a step takes

export const any: Take = () => true;
export const float: Take = ({ dtype }) => isInexact(dtype);
export const numeric: Take = ({ dtype }) => dtype !== 'bool';
export const complexOnly: Take = ({ dtype }) => isComplex(dtype);
export const boolean: Take = ({ dtype }) => dtype === 'bool';
export const ranked = (take: Take): Take => (type, chosen) => type.shape.length > 0 && take(type, chosen);

/** Broadcasts with every operand before it. */
export const fitting = (take: Take): Take => (type, chosen) => take(type, chosen) && chosen.every((other) => broadcasts(type.shape as Dimensions, other.shape as Dimensions));

export const sameDType = (take: Take): Take => (type, chosen) => take(type, chosen) && chosen.every(({ dtype }) => dtype === type.dtype);

export const sameShape = (take: Take): Take => (type, chosen) => take(type, chosen) && chosen.every(({ shape }) => shape.join() === type.shape.join());

function broadcasts(a: Dimensions, b: Dimensions): boolean {
  return a.slice(-Math.min(a.length, b.length) || a.length).every((extent, axis, all) => {
    const other = b[b.length - all.length + axis] as number;
    return extent === other || extent === 1 || other === 1;
  });
}

// ---------------------------------------------------------------- shorthands

type Loose = (...args: readonly unknown[]) => Operand;

/** One of core's functions, whose types say more than a table of steps can. */
export function loose(f: unknown): Loose {
  return f as Loose;
}

export function unary(take: Take, f: unknown, weight = 4): StepKind {
  return { takes: [take], apply: ([x]) => loose(f)(x), weight };
}

export function binary(take: Take, f: unknown, weight = 5): StepKind {
  return { takes: [take, fitting(take)], apply: ([x, y]) => loose(f)(x, y), weight };
}

/** With a number or boolean on one side. */
export function withConstant(take: Take, f: unknown, weight = 3): StepKind {
  return { takes: [take], apply: ([x], { constant, n }) => (n % 2 === 0 ? loose(f)(x, constant) : loose(f)(constant, x)), weight };
}

export function step(takes: readonly Take[], apply: StepKind['apply'], weight = 4): StepKind {
  return { takes, apply, weight };
}

/** Some axes of a shape, by the bits of a number: all of them now and then. */
export function axesBy(rank: number, bits: number): readonly number[] {
  return Array.from({ length: rank }, (_, axis) => axis).filter((axis) => (bits >> axis) % 2 === 1);
}

/** Carries out an operation that no function of core applies, on operands of one front end. */
export function applyTo(operation: Operation, operands: readonly Operand[]): Operand {
  return (operands[0] as Operand)[listenerKey].apply(operation, operands, {})[0] as Operand;
}
