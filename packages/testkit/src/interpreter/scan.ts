import { dtypes, type Scan, type TensorType } from '@tf/core';
import { extentsOf, type HostValue, setLane, zerosOf } from '../values.ts';
import { type Arithmetic, type ElementEvaluator, prepareBody, type ReadLane } from './scalars.ts';
import { rowMajor, walk } from './walk.ts';

/** Result after result along the axis; `wide` keeps the running value in float64. */
export function runScan({ axis, reverse, first, next }: Scan, inputs: readonly HostValue[], type: TensorType, arithmetic: Arithmetic): HostValue {
  const output = zerosOf(type);
  const shape = extentsOf(output);
  const own = rowMajor(shape);
  const [begin, follow] = [prepareBody(first, arithmetic), prepareBody(next, arithmetic)];
  const { lanes } = dtypes[type.dtype];
  const others = shape.flatMap((_, at) => (at === axis ? [] : [at]));
  const pick = (from: readonly number[]): readonly number[] => others.map((at) => from[at] as number);
  const [length, stride] = [shape[axis] as number, own[axis] as number];
  if (length === 0) return output;
  walk(pick(shape), [pick(own)], [0], ([start]) => {
    let running: ReturnType<ElementEvaluator> = [];
    for (let step = 0; step < length; step++) {
      const at = (start as number) + (reverse ? length - 1 - step : step) * stride;
      const read: ReadLane = (input, lane) => {
        if (input === inputs.length) return running[lane] as ReturnType<ReadLane>;
        const operand = inputs[input] as HostValue;
        return operand.data[at * dtypes[operand.type.dtype].lanes + lane] as number | bigint;
      };
      running = (step === 0 ? begin : follow)(read);
      running.forEach((value, lane) => setLane(output.data, at * lanes + lane, value));
    }
  });
  return output;
}
