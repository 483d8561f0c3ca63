import { add, type Operand, tensorType, type Var } from '@tf/core';
import { programOf } from '../../programs.ts';
import { hostValue } from '../../values.ts';
import { orderCases } from './programs.ts';
import { checkCase, type EngineCase, type EngineLaw, onEngine } from './subject.ts';

/** 1 + 2⁻⁶⁰ − 1 and the like: another order gives another value. */
function chain(dtype: 'float32' | 'float64'): EngineCase {
  const program = programOf((a, b, c) => add(add(a as Operand, b as Operand) as Operand, c as Operand) as unknown as Var, [0, 1, 2].map(() => tensorType(dtype, [4])));
  const columns = [[1, 1e30, -1, 3], [2 ** -60, 1, 1, 1e-30], [-1, -1e30, 2 ** -60, -3]];
  return { name: `${dtype}: (a + b) + c`, dtype, bits: true, program, inputs: columns.map((values) => hostValue(dtype, [4], values)) };
}

export const fixedOrderLaw: EngineLaw = {
  name: 'fixed-order',
  equation: 'sums and products are taken by the fixed tree (core/loop/reduction.ts) and chains left to right',
  check: (subject) => onEngine(subject, (engine) => {
    const chains = (['float32', 'float64'] as const).filter((dtype) => engine.info.dtypes.includes(dtype)).map(chain);
    for (const given of [...chains, ...orderCases(engine)]) checkCase('fixed-order', engine, given);
    return undefined;
  }),
};
