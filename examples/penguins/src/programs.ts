import { batchOf } from './batch.ts';
import type { Output } from './progress.ts';
import type { SeedRun } from './seed.ts';
import { programTexts } from './traced.ts';

/** Shows a piece of the loss as a program, and of the program that differentiation makes of it. */
export function printPrograms({ split, start }: SeedRun, output: Output): void {
  const { loss, gradient } = programTexts(start, batchOf(split.train));
  output.line('');
  output.line(`The loss is a program of ${instructions(loss)} instructions; from it:`);
  excerpt(loss, 'tf.core.tanh', 2, 2).forEach((text) => output.line(text));
  output.line(`Its gradient is a program of ${instructions(gradient)}; from it, with tanh′ = 1 − tanh²:`);
  excerpt(gradient, 'tf.core.sub(1:f64[]', 1, 4).forEach((text) => output.line(text));
  output.line('');
}

function instructions(program: string): number {
  return program.split('\n').filter((text) => text.includes(' = ')).length;
}

/** The line that contains `wanted`, with some lines around it. */
export function excerpt(program: string, wanted: string, before: number, after: number): readonly string[] {
  const lines = program.split('\n');
  const at = lines.findIndex((text) => text.includes(wanted));
  return lines.slice(Math.max(0, at - before), at + after + 1).map((text) => `    ${text.trim()}`);
}
