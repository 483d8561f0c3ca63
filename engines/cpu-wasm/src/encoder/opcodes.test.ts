import { expect, test } from 'vitest';
import { type Code, extractLane, get, i32, instr, load, loadLane, replaceLane, shuffle, store, storeLane, v128, type ValueType } from './code.ts';
import { FunctionScope } from './function.ts';
import { ModuleBuilder } from './module.ts';
import { type Opcode, opcodes } from './opcodes.ts';

const vectorNames = (Object.keys(opcodes) as Opcode[]).filter((name) => /^(v128|[if]\d+x\d+)\./.test(name));
const scalarOf = (name: string): ValueType => (name.startsWith('f') ? name.slice(0, 3) : name.startsWith('i64') ? 'i64' : 'i32') as ValueType;

/** (address, vector, vector, vector, one scalar of each type) → what the instruction gives. */
function validates(name: Opcode): boolean {
  const vector: Code = get({ index: 1, type: 'v128' });
  const scalars: readonly ValueType[] = ['i32', 'i64', 'f32', 'f64'];
  const scalar = get({ index: 2 + scalars.indexOf(scalarOf(name)), type: scalarOf(name) });
  const address = get({ index: 0, type: 'i32' });
  const operation = name.split('.')[1]!;
  const [result, code] = ((): readonly [readonly ValueType[], Code] => {
    if (name === 'v128.const') return [['v128'], v128(Array.from({ length: 16 }, (_, i) => i))];
    if (operation === 'shuffle') return [['v128'], shuffle(vector, vector, Array.from({ length: 16 }, (_, i) => 2 * i))];
    if (operation === 'bitselect') return [['v128'], instr(name, vector, vector, vector)];
    if (operation === 'splat') return [['v128'], instr(name, scalar)];
    if (operation === 'extract_lane') return [[scalarOf(name)], extractLane(name, vector, 1)];
    if (operation === 'replace_lane') return [['v128'], replaceLane(name, vector, 1, scalar)];
    if (/^load.*_lane$/.test(operation)) return [['v128'], loadLane(name, address, vector, 1, 3)];
    if (/^store.*_lane$/.test(operation)) return [[], storeLane(name, address, vector, 1, 3)];
    if (operation.startsWith('load')) return [['v128'], load(name, address, 3)];
    if (operation === 'store') return [[], store(name, address, vector, 3)];
    if (/^(all|any)_true$/.test(operation)) return [['i32'], instr(name, vector)];
    if (/^sh[lr]/.test(operation)) return [['v128'], instr(name, vector, i32(3))];
    const isUnary = /^(not|abs|neg|sqrt|ceil|floor|trunc|nearest|extend|convert|promote|demote)/.test(operation);
    return [['v128'], isUnary ? instr(name, vector) : instr(name, vector, vector)];
  })();
  const module = new ModuleBuilder({ maximumPages: 1, shared: false });
  module.addFunction(new FunctionScope(['i32', 'v128', ...scalars], result), code);
  return WebAssembly.validate(module.encode() as Uint8Array<ArrayBuffer>);
}

test('vector instructions take and give what their names say', () => {
  expect(vectorNames.length).toBeGreaterThan(100);
  expect(vectorNames.filter((name) => !validates(name))).toEqual([]);
});

test('no two names are one instruction', () => {
  expect(new Set(Object.values(opcodes)).size).toBe(Object.keys(opcodes).length);
});

test('no relaxed instruction, whose bits depend on the machine, is known by name', () => {
  expect(Object.values(opcodes).filter((code) => code >= 0xfd0100)).toEqual([]);
});
