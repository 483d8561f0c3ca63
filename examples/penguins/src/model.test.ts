import { Builder, type DType, type Operand, type TensorType, tensorType } from '@tf/core';
import { describe, expect, it } from 'vitest';
import { crossEntropy, initialise, parameterShapes, mapParameters } from './model.ts';

describe('the model', () => {
  it('starts from the seed alone, within the bounds of Glorot and Bengio', () => {
    expect(initialise(3)).toEqual(initialise(3));
    const { hiddenWeights, hiddenBias, outputWeights } = initialise(4);
    expect(hiddenWeights).not.toEqual(initialise(3).hiddenWeights);
    expect([hiddenWeights.length, outputWeights.length]).toEqual([64, 48]);
    expect(Math.max(...hiddenWeights.map(Math.abs))).toBeLessThan(Math.sqrt(6 / 20));
    expect(hiddenBias.every((value) => value === 0)).toBe(true);
  });

  it('is one function of operands: a program is built by it as it is', () => {
    const builder = new Builder();
    const input = <D extends DType>(dtype: D, shape: readonly number[]) => builder.input(tensorType(dtype, shape) as TensorType<D>);
    const parameters = mapParameters(parameterShapes, (shape) => input('float64', shape));
    const loss = crossEntropy(parameters, { features: input('float64', [5, 4]), labels: input('int32', [5]), classes: input('int32', [3]) });
    const scalar: Operand = loss;
    expect(scalar.type.key).toBe('f64[]');
  });
});
