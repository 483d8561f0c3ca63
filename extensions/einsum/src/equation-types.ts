/** What is wrong with an equation, found by the compiler: characters, counts of operands, labels of the output, ranks where types know them. */
import type { Operand } from '@tf/core';

type Split<S extends string, Done extends readonly string[] = []> = S extends `${infer A},${infer B}` ? Split<B, [...Done, A]> : [...Done, S];

type Space = ' ' | '\t' | '\n' | '\r' | '\v' | '\f';

/** Seen first, because nearly all labels are one. */
type Letter = 'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'k' | 'l' | 'm' | 'n' | 'o' | 'p' | 'q' | 'r' | 's' | 't' | 'u' | 'v' | 'w' | 'x' | 'y' | 'z' | 'A' | 'B' | 'C' | 'D' | 'E' | 'F' | 'G' | 'H' | 'I' | 'J' | 'K' | 'L' | 'M' | 'N' | 'O' | 'P' | 'Q' | 'R' | 'S' | 'T' | 'U' | 'V' | 'W' | 'X' | 'Y' | 'Z';

/** What is no letter: digits, and the signs of ASCII. */
type NoLetter = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | '!' | '"' | '#' | '$' | '%' | '&' | '\'' | '(' | ')' | '*' | '+' | '-' | '/' | ':' | ';' | '<' | '=' | '>' | '?' | '@' | '[' | '\\' | ']' | '^' | '_' | '`' | '{' | '|' | '}' | '~';

/**
 * The labels of a term, `...` among them; what is wrong with it, in words; or undefined, where it has letters without case: types take
 * a text by units of UTF-16, and some of those letters have two.
 */
type LabelsOf<E extends string, S extends string, Done extends readonly string[] = []> = S extends `${infer A}${infer B}`
  ? A extends Letter ? LabelsOf<E, B, [...Done, A]>
  : A extends '.'
    ? S extends `...${infer C}`
      ? '...' extends Done[number] ? `einsum: ${E} has two ellipses in one term` : LabelsOf<E, C, [...Done, '...']>
      : `einsum: ${E} has a "." that belongs to no "..."`
  : A extends Space ? LabelsOf<E, B, Done>
  : A extends NoLetter ? `einsum: ${E} has the character ${A}`
  : Lowercase<A> extends Uppercase<A> ? undefined
  : LabelsOf<E, B, [...Done, A]>
  : Done;

/** Labels of all terms; the first thing that is wrong with one; or undefined. */
type TermsOf<E extends string, S extends string, Done extends readonly (readonly string[])[] = []> = S extends `${infer A},${infer B}`
  ? LabelsOf<E, A> extends infer Labels extends readonly string[] ? TermsOf<E, B, [...Done, Labels]> : LabelsOf<E, A>
  : LabelsOf<E, S> extends infer Labels extends readonly string[] ? [...Done, Labels] : LabelsOf<E, S>;

/** The rank of an operand or of a shape, where its type says it. */
type RankOf<A> = A extends { readonly type: { readonly shape: infer S extends readonly unknown[] } } ? S['length'] : A extends readonly unknown[] ? A['length'] : number;

/** The first label of the output that is wrong, in words. */
type OutputProblem<E extends string, All extends string, Output extends readonly string[]> = Output extends readonly [infer A extends string, ...infer R extends readonly string[]]
  ? A extends '...' ? OutputProblem<E, All, R>
  : A extends R[number] ? `einsum: in ${E}, the output has the label ${A} twice`
  : A extends All ? OutputProblem<E, All, R>
  : `einsum: in ${E}, the output label ${A} is in no operand's term`
  : never;

type RankProblem<E extends string, Terms extends readonly (readonly string[])[], T extends readonly unknown[], At extends readonly unknown[] = []> = Terms extends readonly [infer A extends readonly string[], ...infer R extends readonly (readonly string[])[]]
  ? number extends RankOf<T[At['length']]> ? RankProblem<E, R, T, [...At, A]>
  : '...' extends A[number] ? RankProblem<E, R, T, [...At, A]>
  : A['length'] extends RankOf<T[At['length']]> ? RankProblem<E, R, T, [...At, A]>
  : `einsum: in ${E}, the term of operand ${At['length']} has ${A['length']} labels, the operand has ${RankOf<T[At['length']]> & number} axes`
  : never;

type CountProblem<E extends string, Count extends number, T extends readonly unknown[]> = number extends T['length'] ? never
  : Count extends T['length'] ? never
  : `einsum: ${E} names ${Count} operands, ${T['length']} were given`;

/** Of terms that are read: their number, their ranks. Of others only the number is known. */
type InputsProblem<E extends string, S extends string, T extends readonly unknown[]> = TermsOf<E, S> extends infer Read
  ? Read extends string ? Read
  : Read extends readonly (readonly string[])[] ? Read['length'] extends T['length'] ? number extends T['length'] ? never : RankProblem<E, Read, T> : CountProblem<E, Read['length'], T>
  : CountProblem<E, Split<S>['length'], T>
  : never;

type WrittenOutputProblem<E extends string, Inputs extends string, Output extends string> = Output extends `${string}->${string}` ? `einsum: ${E} has two arrows`
  : Output extends `${string},${string}` ? `einsum: ${E} has a comma after the arrow`
  : LabelsOf<E, Output> extends infer Labels
    ? Labels extends string ? Labels
    : Labels extends readonly string[] ? TermsOf<E, Inputs> extends infer Read extends readonly (readonly string[])[] ? OutputProblem<E, Read[number][number], Labels> : never
    : never
  : never;

type PartsProblem<E extends string, T extends readonly unknown[]> = E extends `${infer Inputs}->${infer Output}`
  ? InputsProblem<E, Inputs, T> | WrittenOutputProblem<E, Inputs, Output>
  : InputsProblem<E, E, T>;

/** What is wrong with a literal equation for these operands or shapes, in words; never, where nothing is or the text is not known. */
export type EquationProblem<E extends string, T extends readonly unknown[]> = string extends E ? never : PartsProblem<E, T>;

/** The equation, or, in its place, what is wrong with it: the compiler shows it as the type that is wanted. */
export type CheckedEquation<E extends string, T extends readonly unknown[]> = [EquationProblem<E, T>] extends [never] ? E : EquationProblem<E, T>;

type OperandsIn<T extends readonly unknown[], Done extends readonly Operand[] = []> = T extends readonly [infer A, ...infer R] ? OperandsIn<R, A extends Operand ? [...Done, A] : Done> : Done;

/** The operands among the arguments of the list form. */
export type ListedOperands<T extends readonly unknown[]> = number extends T['length'] ? readonly Extract<T[number], Operand>[] : OperandsIn<T>;
