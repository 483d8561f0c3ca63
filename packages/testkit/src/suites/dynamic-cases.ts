/** Truncations to sizes that a run decides, as cases: every rank and axis, sizes from 0 to beyond the bound. */
import * as core from '@tf/core';
import { type Kind, type Operand, type Var } from '@tf/core';
import { type HostValue, hostValue } from '../values.ts';
import { operand, spread, vector } from './case-forms.ts';
import type { ExtensionCase } from './extension-suite.ts';

type Size = Operand<Kind, 'int32'>;

function size(k: number): HostValue {
  return hostValue('int32', [], [k]);
}

function cut(x: Var | undefined, k: Var | undefined, axis: number): Operand {
  return core.dynamicTruncate(operand(x), k as unknown as Size, axis);
}

function square(x: Operand): Var {
  return core.sum(core.mul(x, x)) as Var;
}

const shapes: readonly (readonly number[])[] = [[5], [4, 3], [1, 5], [2, 3, 2], [2, 1, 3, 2]];

/** Used by a product, a function, and reductions, along every axis. */
function everyAxis(): readonly ExtensionCase[] {
  return shapes.flatMap((shape, at) => shape.flatMap((_, axis): readonly ExtensionCase[] => {
    const name = `[${shape.join(', ')}] cut along axis ${axis}`;
    const x = spread(shape, 120 + at);
    return [
      { name: `squares of ${name}`, f: (a, k) => square(cut(a, k, axis)), inputs: [x, size(2)] },
      { name: `exponentials of ${name}, put back`, f: (a, k) => core.padToMatch(core.exp(cut(a, k, axis)) as Operand, operand(a)) as unknown as Var, inputs: [x, size(1)] },
      { name: `mean along what was cut of ${name}`, f: (a, k) => core.mean(cut(a, k, axis), { axes: axis }) as unknown as Var, inputs: [x, size(2)] },
    ];
  }));
}

export function dynamicCases(): readonly ExtensionCase[] {
  const [a, b] = [spread([4, 3], 131), spread([3, 4], 132)];
  return [
    ...everyAxis(),
    ...[-1, 0, 5, 9].map((k): ExtensionCase => ({ name: `a vector of 5 cut to ${k}`, f: (x, n) => square(cut(x, n, 0)), inputs: [spread([5], 133), size(k)] })),
    { name: 'a vector cut to 2, known', f: (x, k) => square(cut(x, k, 0)), inputs: [vector(1, 2, 3, 4, 5), size(2)], expected: [hostValue('float64', [], [5])] },
    { name: 'a product of matrices over what is left', f: (x, y, k) => core.matmul(cut(x, k, 1), cut(y, k, 0)) as unknown as Var, inputs: [a, b, size(2)] },
    { name: 'a product of matrices that is cut', f: (x, y, k) => square(core.matmul(cut(x, k, 0), operand(y)) as Operand), inputs: [a, b, size(3)] },
    { name: 'cut twice over', f: (x, k, n) => square(core.exp(core.dynamicTruncate(cut(x, k, 0), n as unknown as Size, 0)) as Operand), inputs: [a, size(3), size(2)] },
    { name: 'cut along both axes', f: (x, k, n) => core.padToMatch(core.mul(core.dynamicTruncate(cut(x, k, 0), n as unknown as Size, 1), 3) as Operand, operand(x)) as unknown as Var, inputs: [a, size(3), size(1)] },
    { name: 'rows kept, the columns of what is left flattened', f: (x, k) => core.sum(core.reshape(core.mul(cut(x, k, 0), operand(x).type.shape[1] as number) as Operand, [-1])) as unknown as Var, inputs: [a, size(2)] },
    { name: 'a size that the values decide', f: (x) => square(core.dynamicTruncate(operand(x), core.sum(core.convert(core.greater(operand(x), 0), 'int32')) as Size, 0)), inputs: [vector(0.5, -1, 2, -0.25, 1.5)] },
    { name: 'layer norm of what is left', f: (x, k) => square(core.mul(core.layerNorm(cut(x, k, 1)) as Operand, cut(x, k, 1)) as Operand), inputs: [a, size(2)] },
    { name: 'the largest of what is left', f: (x, k) => core.sum(core.reduceMax(cut(x, k, 0), { axes: 1 })) as unknown as Var, inputs: [a, size(2)] },
  ];
}
