/** Nanoseconds per element of each function through the engine: the least of many short runs, which other processes seldom disturb. */
import { evaluatorOf, floatsOf } from './engine.ts';
import type { FloatDType } from './format.ts';
import { arityOf, asDefined } from './measure.ts';
import { randomFrom } from './random.ts';

const COUNT = 50_000;

/** Ordinary arguments: positive for those that need it. */
export function argumentsOf(name: string): readonly [number, number] {
  if (['log', 'log2', 'log10', 'rsqrt', 'sqrt', 'pow', 'lgamma', 'digamma'].includes(name)) return [0.01, 10];
  if (name === 'log1p') return [-0.9, 5];
  if (['asin', 'acos', 'atanh', 'erfinv'].includes(name)) return [-1, 1];
  if (name === 'acosh') return [1, 10];
  return [-4, 4];
}

export function nanosecondsOf(name: string, dtype: FloatDType, runs = 300): number {
  const random = randomFrom(name);
  const [low, high] = argumentsOf(name);
  const operands = Array.from({ length: arityOf(name) }, () => floatsOf(dtype, Array.from({ length: COUNT }, () => random.uniform(low, high))));
  const evaluator = evaluatorOf(dtype, arityOf(name), COUNT, (...args) => asDefined(name, args));
  const least = Math.min(...evaluator.times(operands, runs));
  evaluator.dispose();
  return (least * 1e6) / COUNT;
}
