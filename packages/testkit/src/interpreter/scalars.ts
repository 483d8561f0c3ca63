import { loop, type ScalarExpr, type ScalarType, TfError } from '@tf/core';
import { referenceFunctions } from './functions.ts';

/**
 * How arithmetic rounds. `wide`: float64 throughout, functions by independent means, one rounding to the dtype at the
 * end (the reference for values). `exact`: every scalar operation rounds to its type and functions are core's own
 * definitions (the reference for bits).
 */
export type Arithmetic = 'wide' | 'exact';

type Value = ReturnType<typeof loop.evaluateScalar>;
export type ReadLane = (input: number, lane: 0 | 1) => Value;
/** The values of a body's lanes for one element. */
export type ElementEvaluator = (read: ReadLane) => readonly Value[];

/** A call taken out of an expression: its arguments, evaluated before it, and the argument that stands for its result. */
interface Call {
  readonly name: string;
  readonly type: ScalarType;
  readonly args: readonly ScalarExpr[];
}

/** First number of the inputs that stand for results of calls. */
const results = 1_000_000;

/** Prepares a body for evaluation, once for all elements. */
export function prepareBody(body: readonly ScalarExpr[], arithmetic: Arithmetic): ElementEvaluator {
  const { calls, rest } = withoutCalls(arithmetic === 'wide' ? widened(body) : defined(body));
  return (read) => {
    if (calls.length === 0) return loop.evaluateScalars(rest, read);
    const found: Value[] = [];
    const readAll: ReadLane = (input, lane) => (input >= results ? (found[input - results] as Value) : read(input, lane));
    for (const call of calls) found.push(evaluateCall(call, loop.evaluateScalars(call.args, readAll)));
    return loop.evaluateScalars(rest, readAll);
  };
}

/** Calls replaced by their definitions, as engines do; a function that core does not define yet stays a call. */
function defined(body: readonly ScalarExpr[]): readonly ScalarExpr[] {
  return loop.rewriteNodes(body, (node) => (node.op === 'call' && Object.hasOwn(loop.functions, node.name) ? loop.expandCalls(node) : node));
}

function withoutCalls(body: readonly ScalarExpr[]): { readonly calls: readonly Call[]; readonly rest: readonly ScalarExpr[] } {
  const calls: Call[] = [];
  const rest = loop.rewriteNodes(body, (node) => {
    if (node.op !== 'call') return node;
    calls.push({ name: node.name, type: node.type, args: node.args });
    return loop.argument(node.type, results + calls.length - 1);
  });
  return { calls, rest };
}

function evaluateCall({ name, type }: Call, args: readonly Value[]): Value {
  const f = Object.hasOwn(referenceFunctions, name) ? referenceFunctions[name] : undefined;
  if (f === undefined) throw new TfError('UnsupportedOnEngineError', `${name}: the reference interpreter has no such function. It has ${Object.keys(referenceFunctions).join(', ')}.`, { op: name, engine: 'reference' });
  const value = f(...args.map(Number));
  return type === 'f32' ? Math.fround(value) : value;
}

/**
 * The same body in float64 wherever it says float32. Bodies that look at bits or round on purpose stay as they are.
 */
function widened(body: readonly ScalarExpr[]): readonly ScalarExpr[] {
  const rounds = (node: ScalarExpr): boolean => node.op === 'bitcast' || (node.op === 'convert' && node.type === 'f32');
  if (loop.nodesInOrder(body).some(rounds)) return body;
  return loop.rewriteNodes(body, (node) => (node.type === 'f32' ? ({ ...node, type: 'f64' } as ScalarExpr) : node));
}
