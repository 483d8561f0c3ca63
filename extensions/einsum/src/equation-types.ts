/** What is wrong with an equation, found by the compiler: counts of operands, labels of the output, ranks where types know them. */
import type { Operand } from '@tf/core';

type Squeeze<S extends string, Done extends string = ''> = S extends `${infer A} ${infer B}` ? Squeeze<B, `${Done}${A}`> : `${Done}${S}`;

type Split<S extends string, Done extends readonly string[] = []> = S extends `${infer A},${infer B}` ? Split<B, [...Done, A]> : [...Done, S];

type Letters<S extends string, Done extends readonly string[] = []> = S extends `${infer A}${infer B}` ? Letters<B, [...Done, A]> : Done;

/** The rank of an operand, where its type says it. */
type RankOf<A> = A extends { readonly type: { readonly shape: infer S extends readonly unknown[] } } ? S['length'] : number;

/** The first letter of the output that is wrong, in words. */
type OutputProblem<E extends string, Inputs extends string, Output extends string> = Output extends `${infer A}${infer B}`
  ? A extends '.' ? OutputProblem<E, Inputs, B>
  : Inputs extends `${string}${A}${string}`
    ? B extends `${string}${A}${string}` ? `einsum: in ${E}, the output has the label ${A} twice`
    : OutputProblem<E, Inputs, B>
  : `einsum: in ${E}, the output label ${A} is in no operand's term`
  : never;

type RankProblem<E extends string, Terms extends readonly string[], T extends readonly unknown[], At extends readonly unknown[] = []> = Terms extends readonly [infer A extends string, ...infer R extends readonly string[]]
  ? A extends `${string}...${string}` ? RankProblem<E, R, T, [...At, A]>
  : number extends RankOf<T[At['length']]> ? RankProblem<E, R, T, [...At, A]>
  : Letters<A>['length'] extends RankOf<T[At['length']]> ? RankProblem<E, R, T, [...At, A]>
  : `einsum: in ${E}, the term of operand ${At['length']} has ${Letters<A>['length']} labels, the operand has ${RankOf<T[At['length']]> & number} axes`
  : never;

type CountProblem<E extends string, Terms extends readonly string[], T extends readonly unknown[]> = number extends T['length'] ? never
  : Terms['length'] extends T['length'] ? RankProblem<E, Terms, T>
  : `einsum: ${E} names ${Terms['length']} operands, ${T['length']} were given`;

type PartsProblem<E extends string, Text extends string, T extends readonly unknown[]> = Text extends `${infer Inputs}->${infer Output}`
  ? CountProblem<E, Split<Inputs>, T> | OutputProblem<E, Inputs, Output>
  : CountProblem<E, Split<Text>, T>;

/** What is wrong with a literal equation for these operands, in words; never, where nothing is or the text is not known. */
export type EquationProblem<E extends string, T extends readonly Operand[]> = string extends E ? never : PartsProblem<E, Squeeze<E>, T>;

/** The equation, or, in its place, what is wrong with it: the compiler shows it as the type that is wanted. */
export type CheckedEquation<E extends string, T extends readonly Operand[]> = [EquationProblem<E, T>] extends [never] ? E : EquationProblem<E, T>;

type OperandsIn<T extends readonly unknown[], Done extends readonly Operand[] = []> = T extends readonly [infer A, ...infer R] ? OperandsIn<R, A extends Operand ? [...Done, A] : Done> : Done;

/** The operands among the arguments of the list form. */
export type ListedOperands<T extends readonly unknown[]> = number extends T['length'] ? readonly Extract<T[number], Operand>[] : OperandsIn<T>;
