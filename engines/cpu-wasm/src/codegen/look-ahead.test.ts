/** Loops look ahead at what the next tiles want, and never beyond the memory. */
import { Builder, compileProgram, type Operand, softmax, tensorType } from '@tf/core';
import { expect, test } from 'vitest';
import { FunctionScope } from '../encoder/function.ts';
import { ModuleBuilder } from '../encoder/module.ts';
import { planRoutines } from '../plan/routines.ts';
import { LookAhead } from './look-ahead.ts';

/** (pointer, count) looks ahead once from there. */
function lookFrom(pages: number): (pointer: number, count: number) => void {
  const module = new ModuleBuilder({ maximumPages: pages, shared: false });
  const scope = new FunctionScope(['i32', 'i32']);
  const ahead = new LookAhead(scope, [{ pointer: scope.parameter(0), bytes: 4 }]);
  module.exportFunction('run', module.addFunction(scope, [ahead.start(scope.parameter(1)), ahead.touch()]));
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module.encode() as Uint8Array<ArrayBuffer>), { env: { memory } });
  return exports.run as (pointer: number, count: number) => void;
}

test.each([1, 2, 3, 4, 5, 9])('nothing beyond %i pages is touched', (pages) => {
  const look = lookFrom(pages);
  for (let pointer = 0; pointer < 65536 * pages; pointer += 4096) expect(() => look(pointer, Math.min(4096, (65536 * pages - pointer) / 4))).not.toThrow();
  expect(() => look(65536 * pages, 1)).toThrow();
});

test('in softmax the exponentials look ahead at the scores, of which the maximum is wanted first; no other loop does', () => {
  const builder = new Builder();
  const x = builder.input(tensorType('float32', [64, 1024]), 'x');
  const { routines } = planRoutines(compileProgram(builder.build([softmax(x as Operand) as never])));
  const ahead = routines.flatMap((routine) => (routine.kind === 'loop' ? [[routine.text.includes('reduce'), ...routine.ahead]] : []));
  expect(ahead.filter(([, ...reads]) => reads.length > 0)).toEqual([[false, 0]]);
  expect(routines.filter(({ text }) => text.endsWith('ahead 0'))).toHaveLength(1);
});
