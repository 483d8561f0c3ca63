/** Selects that one instruction computes. */
import type { ScalarExpr } from '@tf/core';
import { type Code, instr } from '../encoder/code.ts';
import type { Opcode } from '../encoder/opcodes.ts';
import type { Graph, GraphNode } from './graph.ts';
import { type Lanes, maskFor } from './vector-operations.ts';
import type { Temporaries } from './emitter.ts';

export interface SelectForm {
  /** In the order in which they are taken from the stack. */
  readonly operands: readonly number[];
  readonly code: (lanes: Lanes, temporary: Temporaries) => Code;
}

export function selectForm({ nodes }: Graph, { expr, operands }: GraphNode): SelectForm {
  const [condition, yes, no] = operands as readonly [number, number, number];
  const picked = pickedExtreme(nodes[condition]!, yes, no);
  if (picked !== undefined) return picked;
  const mask = (lanes: Lanes, temporary: Temporaries): Code => maskFor(expr.type, lanes, temporary);
  if (isZero(nodes[no]!.expr)) return { operands: [yes, condition], code: (...at) => [mask(...at), instr('v128.and')] };
  if (isZero(nodes[yes]!.expr)) return { operands: [no, condition], code: (...at) => [mask(...at), instr('v128.andnot')] };
  return { operands: [yes, no, condition], code: (...at) => [mask(...at), instr('v128.bitselect')] };
}

/**
 * pmax(a, b) = a < b ? b : a and pmin(a, b) = b < a ? b : a, whatever the order of zeros and with NaN as a comparison that fails
 * (WebAssembly core 2.0, §4.3.3): what a select of two compared floats says.
 */
function pickedExtreme({ expr, operands }: GraphNode, yes: number, no: number): SelectForm | undefined {
  if (expr.op !== 'lt' && expr.op !== 'gt') return undefined;
  const type = expr.args[0].type;
  if (type !== 'f32' && type !== 'f64') return undefined;
  const [less, more] = (expr.op === 'lt' ? operands : [...operands].reverse()) as [number, number];
  const shape = type === 'f32' ? 'f32x4' : 'f64x2';
  const form = (opcode: Opcode, a: number, b: number): SelectForm => ({ operands: [a, b], code: () => instr(opcode) });
  if (yes === more && no === less) return form(`${shape}.pmax`, less, more);
  if (yes === less && no === more) return form(`${shape}.pmin`, more, less);
  return undefined;
}

/** Whether all bits are 0: −0 is not. */
function isZero(expr: ScalarExpr): boolean {
  return expr.op === 'constant' && (Object.is(expr.value, 0) || expr.value === 0n || (Object.is(expr.value, -0) && expr.type !== 'f32' && expr.type !== 'f64'));
}
