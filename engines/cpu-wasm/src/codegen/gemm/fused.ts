import { type Code, extractLane, f32, get, instr, set } from '../../encoder/code.ts';
import { FunctionScope } from '../../encoder/function.ts';
import { ModuleBuilder } from '../../encoder/module.ts';
import { accumulate } from './arithmetic.ts';
import { blockingOf } from './blocking.ts';

/**
 * Whether products and sums can be rounded together: the module with a `relaxed_madd` is valid here, and the instruction
 * is really fused, which the specification leaves open. x = 1 + 2⁻¹²: x² − (1 + 2⁻¹¹) is 2⁻²⁴ if fused, else 0.
 */
export function hasFusedProducts(): boolean {
  const x = 1 + 2 ** -12;
  const module = new ModuleBuilder({ maximumPages: 1, shared: false });
  const scope = new FunctionScope([], ['f32']);
  const sum = scope.local('v128');
  const splat = (value: number): Code => instr('f32x4.splat', f32(value));
  const blocking = blockingOf('float32', true);
  module.exportFunction('run', module.addFunction(scope, [
    set(sum, splat(-(1 + 2 ** -11))),
    accumulate(blocking, sum, splat(x), splat(x)),
    extractLane('f32x4.extract_lane', get(sum), 0),
  ]));
  const bytes = module.encode() as Uint8Array<ArrayBuffer>;
  if (!WebAssembly.validate(bytes)) return false;
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1 });
  const { run } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env: { memory } }).exports;
  return (run as () => number)() !== 0;
}
