import { expect, test } from 'vitest';
import { add, call, callIndirect, type Code, doWhile, forLoop, get, i32, ifElse, instr, least, load, mul, repeat, set, store, sub, whileLoop } from './code.ts';
import { FunctionScope } from './function.ts';
import { ModuleBuilder } from './module.ts';

type Numeric = (...args: readonly number[]) => number;

function instantiate(build: (module: ModuleBuilder) => void): { readonly run: Numeric; readonly memory: WebAssembly.Memory } {
  const module = new ModuleBuilder({ maximumPages: 1, shared: false });
  build(module);
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1 });
  const instance = new WebAssembly.Instance(new WebAssembly.Module(module.encode() as Uint8Array<ArrayBuffer>), { env: { memory } });
  return { run: instance.exports.run as Numeric, memory };
}

function unaryFunction(body: (scope: FunctionScope) => Code): Numeric {
  return instantiate((module) => {
    const scope = new FunctionScope(['i32'], ['i32']);
    module.exportFunction('run', module.addFunction(scope, body(scope)));
  }).run;
}

test('loops count as their names say', () => {
  const sum = unaryFunction((scope) => {
    const [i, total] = [scope.local('i32'), scope.local('i32')];
    return [forLoop(i, get(scope.parameter(0)), 2, set(total, add(get(total), get(i)))), get(total)];
  });
  expect([0, 1, 2, 7].map((n) => sum(n))).toEqual([0, 0, 0, 12]);
  const power = unaryFunction((scope) => {
    const [i, product] = [scope.local('i32'), scope.local('i32')];
    return [set(product, i32(1)), repeat(i, get(scope.parameter(0)), set(product, mul(get(product), i32(3)))), get(product)];
  });
  expect([1, 2, 5].map((n) => power(n))).toEqual([3, 9, 243]);
  const collatz = unaryFunction((scope) => {
    const [x, steps] = [scope.parameter(0), scope.local('i32')];
    const odd = instr('i32.and', get(x), i32(1));
    const next = ifElse(odd, set(x, add(mul(get(x), i32(3)), i32(1))), set(x, instr('i32.shr_u', get(x), i32(1))));
    return [whileLoop(instr('i32.ne', get(x), i32(1)), [next, set(steps, add(get(steps), i32(1)))]), get(steps)];
  });
  expect([1, 6, 27].map((n) => collatz(n))).toEqual([0, 8, 111]);
});

test('a do-while runs once before it asks', () => {
  const runs = unaryFunction((scope) => {
    const [n, count] = [scope.parameter(0), scope.local('i32')];
    return [doWhile([set(count, add(get(count), i32(1))), set(n, sub(get(n), i32(1)))], instr('i32.gt_s', get(n), i32(0))), get(count)];
  });
  expect([0, 1, 4].map((n) => runs(n))).toEqual([1, 1, 4]);
});

test('the least of two is taken as unsigned', () => {
  const run = unaryFunction((scope) => least(get(scope.parameter(0)), i32(10)));
  expect([3, 12, -1].map((n) => run(n))).toEqual([3, 10, 10]);
});

test('functions call each other, directly and through the table', () => {
  const { run } = instantiate((module) => {
    const signature = { parameters: ['i32'], results: ['i32'] } as const;
    const square = new FunctionScope(signature.parameters, signature.results);
    const squareIndex = module.addFunction(square, mul(get(square.parameter(0)), get(square.parameter(0))));
    const next = new FunctionScope(signature.parameters, signature.results);
    const nextIndex = module.addFunction(next, add(get(next.parameter(0)), i32(1)));
    module.setElements([squareIndex, nextIndex]);
    const main = new FunctionScope(['i32', 'i32'], ['i32']);
    const through = callIndirect(module.typeIndex(signature), get(main.parameter(0)), get(main.parameter(1)));
    module.exportFunction('run', module.addFunction(main, call(squareIndex, through)));
  });
  expect([run(0, 3), run(1, 3)]).toEqual([81, 16]);
});

test('vectors load, splat and store', () => {
  const { run, memory } = instantiate((module) => {
    const scope = new FunctionScope(['i32'], ['i32']);
    const product = instr('f64x2.mul', load('v128.load', get(scope.parameter(0))), load('v128.load64_splat', get(scope.parameter(0)), 16));
    module.exportFunction('run', module.addFunction(scope, [store('v128.store', get(scope.parameter(0)), product, 32), i32(0)]));
  });
  const doubles = new Float64Array(memory.buffer);
  doubles.set([2, 3, 10], 1);
  run(8);
  expect([...doubles.subarray(5, 7)]).toEqual([20, 30]);
});
