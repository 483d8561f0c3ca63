import type { ContenderSource, Prepared } from '../contender.ts';
import { loadPeer, peerVersion } from '../peers.ts';
import type { Inputs } from '../workloads.ts';
import { inputNamed, prepareFrom, type Tasks } from './adapter.ts';

/** What is used of fft.js, which has no types. Complex numbers are re and im, one after the other. */
interface FftJs {
  createComplexArray(): number[];
  transform(to: number[], from: ArrayLike<number>): void;
  realTransform(to: number[], from: ArrayLike<number>): void;
}

interface FftJsModule {
  readonly default: new (size: number) => FftJs;
}

const name = 'fft.js';

export const fftJsSource: ContenderSource = {
  name,
  kind: 'javascript',
  async open() {
    const { default: Transform } = await loadPeer<FftJsModule>(name);
    return { name, kind: 'javascript', version: peerVersion(name), groups: ['fft'], prepare: prepareFrom(tasksOf(Transform), ({ dtype }) => (dtype === 'float32' ? 'has no float32' : undefined)) };
  },
};

function tasksOf(Transform: FftJsModule['default']): Tasks {
  const prepared = (inputs: Inputs, size: number, numbers: number, run: (transform: FftJs, to: number[], from: ArrayLike<number>) => void): Prepared => {
    const { values } = inputNamed(inputs, 'x');
    const transform = new Transform(size);
    const result = transform.createComplexArray();
    return { run: () => run(transform, result, values), result: () => result.slice(0, numbers) };
  };
  return {
    fft: (inputs, { size }) => prepared(inputs, size, 2 * size, (transform, to, from) => transform.transform(to, from)),
    rfft: (inputs, { size }) => prepared(inputs, size, size + 2, (transform, to, from) => transform.realTransform(to, from)),
  };
}
