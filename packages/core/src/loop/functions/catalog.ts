/** The functions that `call` nodes may name, and their replacement by their definitions. */
import { TfError, invariant } from '../../errors.ts';
import type { ScalarExpr } from '../../types/loop-language.ts';
import { nodesInOrder, rewriteNodes } from '../order.ts';
import { acos } from './acos.ts';
import { acosh } from './acosh.ts';
import { asin } from './asin.ts';
import { asinh } from './asinh.ts';
import { atan } from './atan.ts';
import { atan2 } from './atan2.ts';
import { atanh } from './atanh.ts';
import { cbrt } from './cbrt.ts';
import { cos } from './cos.ts';
import { cosh } from './cosh.ts';
import { digamma } from './digamma.ts';
import { erf } from './erf.ts';
import { erfc } from './erfc.ts';
import { erfinv } from './erfinv.ts';
import { exp } from './exp.ts';
import { exp2 } from './exp2.ts';
import { expm1 } from './expm1.ts';
import { fmod } from './fmod.ts';
import { hypot } from './hypot.ts';
import { lgamma } from './lgamma.ts';
import { log } from './log.ts';
import { log10 } from './log10.ts';
import { log1p } from './log1p.ts';
import { log2 } from './log2.ts';
import { logAddExp } from './log-add-exp.ts';
import { ndtr } from './ndtr.ts';
import { pow } from './pow.ts';
import { remainder } from './remainder.ts';
import { rsqrt } from './rsqrt.ts';
import { sigmoid } from './sigmoid.ts';
import { sin } from './sin.ts';
import { sinh } from './sinh.ts';
import { tan } from './tan.ts';
import { tanh } from './tanh.ts';

/** A function as a graph over its arguments, made anew at each call; the arguments' type chooses f32 or f64. */
export interface FunctionDefinition {
  readonly arity: number;
  readonly define: (args: readonly ScalarExpr[]) => ScalarExpr;
}

export const functions: { readonly [name: string]: FunctionDefinition } = {
  acos: { arity: 1, define: (args) => acos(args) },
  acosh: { arity: 1, define: (args) => acosh(args) },
  asin: { arity: 1, define: (args) => asin(args) },
  asinh: { arity: 1, define: (args) => asinh(args) },
  atan: { arity: 1, define: (args) => atan(args) },
  atan2: { arity: 2, define: (args) => atan2(args) },
  atanh: { arity: 1, define: (args) => atanh(args) },
  cbrt: { arity: 1, define: (args) => cbrt(args) },
  cos: { arity: 1, define: (args) => cos(args) },
  cosh: { arity: 1, define: (args) => cosh(args) },
  digamma: { arity: 1, define: (args) => digamma(args) },
  erf: { arity: 1, define: (args) => erf(args) },
  erfc: { arity: 1, define: (args) => erfc(args) },
  erfinv: { arity: 1, define: (args) => erfinv(args) },
  exp: { arity: 1, define: (args) => exp(args) },
  exp2: { arity: 1, define: (args) => exp2(args) },
  expm1: { arity: 1, define: (args) => expm1(args) },
  fmod: { arity: 2, define: (args) => fmod(args) },
  hypot: { arity: 2, define: (args) => hypot(args) },
  lgamma: { arity: 1, define: (args) => lgamma(args) },
  log: { arity: 1, define: (args) => log(args) },
  log10: { arity: 1, define: (args) => log10(args) },
  log1p: { arity: 1, define: (args) => log1p(args) },
  log2: { arity: 1, define: (args) => log2(args) },
  logAddExp: { arity: 2, define: (args) => logAddExp(args) },
  ndtr: { arity: 1, define: (args) => ndtr(args) },
  pow: { arity: 2, define: (args) => pow(args) },
  remainder: { arity: 2, define: (args) => remainder(args) },
  rsqrt: { arity: 1, define: (args) => rsqrt(args) },
  sigmoid: { arity: 1, define: (args) => sigmoid(args) },
  sin: { arity: 1, define: (args) => sin(args) },
  sinh: { arity: 1, define: (args) => sinh(args) },
  tan: { arity: 1, define: (args) => tan(args) },
  tanh: { arity: 1, define: (args) => tanh(args) },
};

/** The expression with every `call` replaced by its definition; shared nodes stay shared. */
export function expandCalls(expr: ScalarExpr): ScalarExpr {
  return expandAllCalls([expr])[0]!;
}

/** {@link expandCalls} of several expressions, e.g. a kernel's body: what they share stays shared among them. */
export function expandAllCalls(exprs: readonly ScalarExpr[]): readonly ScalarExpr[] {
  if (!nodesInOrder(exprs).some(({ op }) => op === 'call')) return exprs;
  return rewriteNodes(exprs, (node) => {
    if (node.op !== 'call') return node;
    const result = definitionOf(node.name, node.args.length).define(node.args);
    invariant(result.type === node.type, `${node.name}: gives ${result.type}, the call says ${node.type}`, { op: node.name });
    return result;
  });
}

function definitionOf(name: string, given: number): FunctionDefinition {
  const definition = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (definition === undefined) {
    const known = Object.keys(functions).join(', ');
    throw new TfError('UnsupportedOnEngineError', `${name}: the loop language has no such function. Express it through ${known}.`, { op: name });
  }
  invariant(definition.arity === given, `${name}: takes ${definition.arity} arguments, got ${given}`, { op: name });
  return definition;
}
