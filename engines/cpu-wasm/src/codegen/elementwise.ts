import type { LoopKernel } from '@tf/core';
import { advance, call, type Code, doWhile, get, i32, least, mul, set, sub } from '../encoder/code.ts';
import type { ModuleBuilder } from '../encoder/module.ts';
import { type AddInnerLoop, CHUNK, stepCode, stridedOperands } from './inner.ts';
import { Nest } from './nest.ts';

/** The driver of a kernel without reduction: outer axes nested, the innermost one in pieces. Gives its function index. `ahead`: reads whose next tiles are wanted. */
export function addElementwise(module: ModuleBuilder, kernel: LoopKernel, ahead: readonly number[], addInner: AddInnerLoop): number {
  const inner = addInner({ ...kernel, ahead });
  const nest = new Nest(kernel);
  const body = kernel.rank === 0 ? callOnce(nest, inner) : nest.over(kernel.rank - 1, innermostAxis(nest, inner));
  return module.addFunction(nest.scope, [nest.loadPointers(), body]);
}

function callOnce(nest: Nest, inner: number): Code {
  return call(inner, ...nest.pointers.map(get), ...stridedOperands(nest.kernel).map(() => i32(0)), i32(1));
}

function innermostAxis(nest: Nest, inner: number): Code {
  const { kernel, scope, pointers } = nest;
  const axis = kernel.rank - 1;
  const operands = [...kernel.reads, ...kernel.writes];
  const remaining = scope.local('i32');
  const count = scope.local('i32');
  const strides = stridedOperands(kernel).map((operand) => nest.delta(operand, axis));
  return [
    set(remaining, nest.extent(axis)),
    doWhile(
      [
        set(count, least(get(remaining), i32(CHUNK))),
        call(inner, ...pointers.map(get), ...strides, get(count)),
        operands.flatMap((access, operand) =>
          access.inner === 'broadcast' ? [] : [advance(pointers[operand]!, mul(get(count), stepCode(access, () => nest.delta(operand, axis))))],
        ),
        set(remaining, sub(get(remaining), get(count))),
      ],
      get(remaining),
    ),
  ];
}
