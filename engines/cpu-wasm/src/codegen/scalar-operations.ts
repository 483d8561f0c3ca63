/** One node of the loop language, its operands on the stack: which instructions compute it. */
import { invariant, type ScalarExpr, type ScalarType } from '@tf/core';
import { type Code, f32, f64, get, i32, i64, instr, load, set, tee } from '../encoder/code.ts';
import { type Opcode, opcodes } from '../encoder/opcodes.ts';
import type { Temporaries } from './emitter.ts';
import { valueTypeOf } from './storage.ts';

const signedNames: { readonly [op: string]: string } = { lt: 'lt_s', le: 'le_s', gt: 'gt_s', ge: 'ge_s', shrS: 'shr_s', shrU: 'shr_u' };

export function constantCode(type: ScalarType, value: number | bigint): Code {
  switch (type) {
    case 'f32':
      return f32(value as number);
    case 'f64':
      return f64(value as number);
    case 'i64':
      return i64(value as bigint);
    default:
      return i32(value as number);
  }
}

export function operationCode(expr: ScalarExpr, temporaries: Temporaries): Code {
  invariant(expr.op !== 'argument' && expr.op !== 'constant' && expr.op !== 'lookup' && expr.op !== 'call', `cpu-wasm: ${expr.op} is no operation`);
  const operandType = expr.args[0].type;
  switch (expr.op) {
    case 'select':
      return instr('select');
    case 'convert':
      return conversions[operandType][expr.type];
    case 'bitcast':
      return named(`${expr.type}.reinterpret_${operandType}`);
    default:
      return operandType === 'f32' || operandType === 'f64' ? named(`${operandType}.${expr.op}`) : integerCode(expr.op, operandType, temporaries);
  }
}

/** The value of a table at the i32 on the stack, which is first brought into 0 … length − 1. */
export function lookupCode(type: ScalarType, length: number, address: number, temporaries: Temporaries): Code {
  const index = temporaries('i32', 0);
  const last = i32(length - 1);
  const value = valueTypeOf(type);
  const bytes = value === 'i64' || value === 'f64' ? 8 : 4;
  const pick = (other: Code, comparison: 'i32.gt_s' | 'i32.lt_s'): Code => set(index, instr('select', get(index), other, instr(comparison, get(index), other)));
  return [set(index, []), pick(i32(0), 'i32.gt_s'), pick(last, 'i32.lt_s'), load(`${value}.load`, instr('i32.mul', get(index), i32(bytes)), address)];
}

/** A table as it lies in memory. */
export function tableBytes(type: ScalarType, table: readonly (number | bigint)[]): Uint8Array {
  const width = type === 'i64' || type === 'f64' ? 8 : 4;
  const view = new DataView(new ArrayBuffer(width * table.length));
  table.forEach((value, i) => {
    const at = width * i;
    if (type === 'f32') view.setFloat32(at, value as number, true);
    else if (type === 'f64') view.setFloat64(at, value as number, true);
    else if (type === 'i64') view.setBigInt64(at, BigInt(value), true);
    else view.setInt32(at, Number(value), true);
  });
  return new Uint8Array(view.buffer);
}

function named(name: string): Code {
  invariant(Object.hasOwn(opcodes, name), `cpu-wasm: there is no instruction ${name}`);
  return instr(name as Opcode);
}

function integerCode(op: string, type: ScalarType, temporaries: Temporaries): Code {
  const value = valueTypeOf(type) as 'i32' | 'i64';
  const number = (n: number): Code => (value === 'i64' ? i64(BigInt(n)) : i32(n));
  switch (op) {
    case 'neg':
      return [number(-1), named(`${value}.mul`)];
    case 'not':
      return type === 'bool' ? instr('i32.eqz') : [number(-1), named(`${value}.xor`)];
    case 'abs':
      return integerAbsolute(value, number, temporaries);
    case 'min':
    case 'max':
      return integerExtreme(op, value, temporaries);
    default:
      return named(`${value}.${signedNames[op] ?? op}`);
  }
}

/** |x| = (x ⊕ s) − s with s = x >> (width − 1), all ones for negative x. */
function integerAbsolute(value: 'i32' | 'i64', number: (n: number) => Code, temporaries: Temporaries): Code {
  const x = temporaries(value, 0);
  const sign = [get(x), number(value === 'i64' ? 63 : 31), named(`${value}.shr_s`)];
  return [tee(x), sign, named(`${value}.xor`), sign, named(`${value}.sub`)];
}

function integerExtreme(op: 'min' | 'max', value: 'i32' | 'i64', temporaries: Temporaries): Code {
  const a = temporaries(value, 0);
  const b = temporaries(value, 1);
  return [set(b, []), tee(a), get(b), get(a), get(b), named(`${value}.${op === 'min' ? 'lt_s' : 'gt_s'}`), instr('select')];
}

const nothing: Code = [];
const toBool = (type: 'i32' | 'i64' | 'f32' | 'f64'): Code => [constantCode(type, type === 'i64' ? 0n : 0), instr(`${type}.ne`)];

/** By operand type, then result type. Floats truncate and saturate; i64 → i32 wraps; everything ≠ 0 is true. */
const conversions: { readonly [From in ScalarType]: { readonly [To in ScalarType]: Code } } = {
  bool: { bool: nothing, i32: nothing, i64: instr('i64.extend_i32_u'), f32: instr('f32.convert_i32_s'), f64: instr('f64.convert_i32_s') },
  i32: { bool: toBool('i32'), i32: nothing, i64: instr('i64.extend_i32_s'), f32: instr('f32.convert_i32_s'), f64: instr('f64.convert_i32_s') },
  i64: { bool: toBool('i64'), i32: instr('i32.wrap_i64'), i64: nothing, f32: instr('f32.convert_i64_s'), f64: instr('f64.convert_i64_s') },
  f32: { bool: toBool('f32'), i32: instr('i32.trunc_sat_f32_s'), i64: instr('i64.trunc_sat_f32_s'), f32: nothing, f64: instr('f64.promote_f32') },
  f64: { bool: toBool('f64'), i32: instr('i32.trunc_sat_f64_s'), i64: instr('i64.trunc_sat_f64_s'), f32: instr('f32.demote_f64'), f64: nothing },
};
