import type { Operand } from '@tf/core';
import { FormatError, type Json, type JsonRecord } from '../format.ts';

/**
 * An operation of the oracle in terms of `@tf/core`'s public functions: what a user would write. An operation that is not
 * in the table is unsupported; nothing here reaches for what is not public.
 */
export type OracleOperation = (inputs: readonly Operand[], args: ArgumentReader) => readonly Operand[];

export type OperationTable = ReadonlyMap<string, OracleOperation>;

/** The arguments of one step. One that nobody reads would be ignored silently, so `finish` refuses it. */
export class ArgumentReader {
  readonly #op: string;
  readonly #args: JsonRecord;
  readonly #read = new Set<string>();

  constructor(op: string, args: JsonRecord) {
    this.#op = op;
    this.#args = args;
  }

  /** The argument, or undefined when it is absent. */
  raw(name: string): Json | undefined {
    this.#read.add(name);
    return this.#args[name];
  }

  number(name: string, otherwise?: number): number {
    const value = this.raw(name) ?? otherwise;
    if (typeof value !== 'number') throw this.#fault(name, 'a number');
    return value;
  }

  text(name: string): string {
    const value = this.raw(name);
    if (typeof value !== 'string') throw this.#fault(name, 'a text');
    return value;
  }

  flag(name: string): boolean {
    const value = this.raw(name) ?? false;
    if (typeof value !== 'boolean') throw this.#fault(name, 'true or false');
    return value;
  }

  numbers(name: string): readonly number[] {
    const value = this.raw(name);
    if (!Array.isArray(value) || !value.every((item) => typeof item === 'number')) throw this.#fault(name, 'a list of numbers');
    return value as readonly number[];
  }

  /** `null` and absence mean all axes, `[]` none. */
  axes(name: string): { readonly axes?: readonly number[] } {
    return (this.raw(name) ?? null) === null ? {} : { axes: this.numbers(name) };
  }

  finish(): void {
    const unread = Object.keys(this.#args).filter((name) => !this.#read.has(name));
    if (unread.length > 0) throw new FormatError(`${this.#op}: the runner does not know what ${unread.join(', ')} means`);
  }

  #fault(name: string, wanted: string): FormatError {
    return new FormatError(`${this.#op}: argument ${name} is not ${wanted}`);
  }
}

/** Results of core's functions on operands of any kind are operands. */
export type Unary = (x: Operand) => unknown;
export type Binary = (a: Operand, b: Operand) => unknown;

function operand(inputs: readonly Operand[], at: number): Operand {
  const value = inputs[at];
  if (value === undefined) throw new FormatError(`input ${at} is missing`);
  return value;
}

export function unary(f: Unary): OracleOperation {
  return (inputs) => [f(operand(inputs, 0)) as Operand];
}

export function binary(f: Binary): OracleOperation {
  return (inputs) => [f(operand(inputs, 0), operand(inputs, 1)) as Operand];
}

/** An operation of one tensor with arguments. */
export function withArguments(f: (x: Operand, args: ArgumentReader) => unknown): OracleOperation {
  return (inputs, args) => [f(operand(inputs, 0), args) as Operand];
}

/** The extent of an axis; a case has only known ones. */
export function extent(x: Operand, axis: number): number {
  return x.type.shape.at(axis) as number;
}
