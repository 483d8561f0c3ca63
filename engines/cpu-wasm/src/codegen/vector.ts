/**
 * Expressions as vector code: as `scalar.ts`, but several elements at a time. Constants are written where they are used: in
 * variables or in memory they are no faster (V8 makes them anew either way).
 */
import type { ScalarExpr } from '@tf/core';
import { type Code, get, instr, type Local, v128 } from '../encoder/code.ts';
import type { FunctionScope } from '../encoder/function.ts';
import { type Dialect, GraphEmitter, type Temporaries } from './emitter.ts';
import type { Graph, GraphNode } from './graph.ts';
import { tableBytes } from './scalar-operations.ts';
import { constantBytes, hasConstantCount, type Lanes, lookupVector, operationVector } from './vector-operations.ts';
import { selectForm } from './vector-select.ts';
import { loadBothLanes, loadVector, type VectorPlace } from './vector-memory.ts';

export interface VectorSource {
  readonly scope: FunctionScope;
  readonly temporary: Temporaries;
  readonly lanes: Lanes;
  /** Where an operand's elements lie in repetition `step` of a pass. */
  readonly place: (input: number, step: number) => VectorPlace;
  readonly fixed: (input: number) => boolean;
  /** Where an argument has been computed before; undefined for operands. */
  readonly computed: (input: number, step: number) => Local | undefined;
  readonly dataAddress: (bytes: Uint8Array) => number;
}

export function vectorEmitter(graph: Graph, source: VectorSource): GraphEmitter {
  const dialect: Dialect = {
    scope: source.scope,
    typeOf: () => 'v128',
    operandsOf: (node) => (node.expr.op === 'select' ? selectForm(graph, node).operands : hasConstantCount(node.expr) ? [node.operands[0]!] : node.operands),
    nodeCode: (node, step) => (node.expr.op === 'select' ? selectForm(graph, node).code(source.lanes, source.temporary) : nodeCode(node, step, source)),
    fixed: source.fixed,
    bothLanes: (input, step, lanes) => loadBothLanes(source.place(input, step), source.lanes, lanes, source.temporary),
    guards: {
      isNeeded: (branch, mask) => (branch === 'yes' ? instr('v128.any_true', mask) : instr('i32.eqz', instr('i8x16.all_true', mask))),
      unneeded: v128(new Array<number>(16).fill(0)),
    },
  };
  return new GraphEmitter(graph, dialect);
}

function nodeCode({ expr }: GraphNode, step: number, source: VectorSource): Code {
  const { lanes, temporary } = source;
  switch (expr.op) {
    case 'argument':
      return argumentVector(expr, step, source);
    case 'constant':
      return v128(constantBytes(expr.type, expr.value));
    case 'lookup':
      return lookupVector(expr.type, expr.table.length, source.dataAddress(tableBytes(expr.type, expr.table)), lanes, temporary);
    default:
      return operationVector(expr, lanes, temporary);
  }
}

function argumentVector({ input, lane }: Extract<ScalarExpr, { readonly op: 'argument' }>, step: number, { computed, place, lanes, temporary }: VectorSource): Code {
  const local = computed(input, step);
  return local === undefined ? loadVector(place(input, step), lane, lanes, temporary) : get(local);
}
