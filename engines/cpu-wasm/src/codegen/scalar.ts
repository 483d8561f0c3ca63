/** Scalar expressions as stack code, one element at a time. */
import type { Code } from '../encoder/code.ts';
import type { FunctionScope } from '../encoder/function.ts';
import { type Dialect, GraphEmitter, type Temporaries, temporariesIn } from './emitter.ts';
import type { Graph, GraphNode } from './graph.ts';
import { constantCode, lookupCode, operationCode, tableBytes } from './scalar-operations.ts';
import { valueTypeOf } from './storage.ts';

export interface ScalarSource {
  readonly scope: FunctionScope;
  /** A lane of an operand's present element. */
  readonly read: (input: number, lane: 0 | 1) => Code;
  /** Whether the operand's element is the same throughout the loop. */
  readonly fixed: (input: number) => boolean;
  /** Where the bytes of a table lie. */
  readonly dataAddress: (bytes: Uint8Array) => number;
}

export function scalarEmitter(graph: Graph, source: ScalarSource): GraphEmitter {
  const temporary = temporariesIn(source.scope);
  const dialect: Dialect = {
    scope: source.scope,
    typeOf: ({ expr }) => valueTypeOf(expr.type),
    operandsOf: evaluationOrder,
    nodeCode: (node) => nodeCode(node, source, temporary),
    fixed: source.fixed,
  };
  return new GraphEmitter(graph, dialect);
}

function nodeCode({ expr }: GraphNode, source: ScalarSource, temporary: Temporaries): Code {
  if (expr.op === 'argument') return source.read(expr.input, expr.lane);
  if (expr.op === 'constant') return constantCode(expr.type, expr.value);
  if (expr.op === 'lookup') return lookupCode(expr.type, expr.table.length, source.dataAddress(tableBytes(expr.type, expr.table)), temporary);
  return operationCode(expr, temporary);
}

/** WebAssembly's select takes its condition last. */
function evaluationOrder({ expr, operands }: GraphNode): readonly number[] {
  return expr.op === 'select' ? [operands[1]!, operands[2]!, operands[0]!] : operands;
}
