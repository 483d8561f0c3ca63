import type { AdContext, Program } from '@tf/core';
import { inexactOutputs, jvpProgram } from '../programs.ts';
import { type HostValue, hostValue, knownShape } from '../values.ts';
import { compare, type Finding, worse } from './law.ts';
import { type ExtensionLaw, directions, type ExtensionSubject, isDifferentiable, moved, run } from './subject.ts';

export const derivativeLaw: ExtensionLaw = {
  name: 'derivative',
  equation: 'J v = lim (f(x + h v) − f(x)) / h',
  concerns: isDifferentiable,
  check: (subject) => (subject.double === undefined ? checkDerivative('derivative', subject, subject.context, subject.program, subject.inputs) : checkPrecision(subject, subject.double)),
};

/** J v against central differences, along a direction in each input and in all of them. */
export function checkDerivative(law: string, subject: ExtensionSubject, context: AdContext, program: Program, inputs: readonly HostValue[]): Finding | undefined {
  const { wrt } = subject;
  const forward = jvpProgram(context, program, wrt);
  const all = directions(subject, wrt.map((at) => (program.inputs[at] as Program['inputs'][number]).type), 3);
  const alone = wrt.length === 1 ? [] : wrt.map((_, only) => all.map((v, at) => (at === only ? v : scaled(v, 0))));
  let finding: Finding | undefined;
  [...alone, all].forEach((v, which) => {
    const tangents = run(subject, forward, [...inputs, ...v]);
    const differences = centralDifferences(subject, program, inputs, v);
    const along = which < alone.length ? `along input ${wrt[which]}` : 'along all inputs';
    tangents.forEach((tangent, at) => {
      finding = worse(finding, compare(law, subject.name, `J v ${along}, output ${at}, against central differences: `, tangent, differences[at] as HostValue, subject.tolerance));
    });
  });
  return finding;
}

/**
 * d f(x + t·v)/dt at 0 by central differences at h, h/2, h/4, h = 1e-3·max(1, |x|), Richardson's extrapolation removing
 * the errors in h² and h⁴.
 */
export function centralDifferences(subject: ExtensionSubject, program: Program, inputs: readonly HostValue[], v: readonly HostValue[]): readonly HostValue[] {
  const { wrt } = subject;
  const size = Math.max(1, ...wrt.map((at) => largest(inputs[at] as HostValue)));
  const h = 1e-3 * size;
  const outputs = inexactOutputs(program);
  const at = (t: number): readonly HostValue[] => {
    const shifted = inputs.map((value, index) => (wrt.includes(index) ? moved(value, v[wrt.indexOf(index)] as HostValue, t) : value));
    const results = run(subject, program, shifted);
    return outputs.map((index) => results[index] as HostValue);
  };
  const quotient = (step: number): readonly HostValue[] => {
    const [up, down] = [at(step), at(-step)];
    return up.map((value, index) => combined(value, down[index] as HostValue, 1 / (2 * step), -1 / (2 * step)));
  };
  const [d1, d2, d3] = [quotient(h), quotient(h / 2), quotient(h / 4)] as const;
  return d1.map((_, index) => {
    const [r1, r2] = [combined(d2[index] as HostValue, d1[index] as HostValue, 4 / 3, -1 / 3), combined(d3[index] as HostValue, d2[index] as HostValue, 4 / 3, -1 / 3)];
    return combined(r2, r1, 16 / 15, -1 / 15);
  });
}

/** In single precision differences say nothing: the derivative is compared with the one in double precision. */
function checkPrecision(subject: ExtensionSubject, double: ExtensionSubject): Finding | undefined {
  const types = (of: ExtensionSubject): readonly HostValue['type'][] => of.wrt.map((at) => (of.program.inputs[at] as Program['inputs'][number]).type);
  const v = directions(double, types(double), 3).map((value, at) => recast(value, types(subject)[at] as HostValue['type']));
  const single = run(subject, jvpProgram(subject.context, subject.program, subject.wrt), [...subject.inputs, ...v]);
  const wide = run(double, jvpProgram(double.context, double.program, double.wrt), [...double.inputs, ...v.map((value, at) => recast(value, types(double)[at] as HostValue['type']))]);
  let finding: Finding | undefined;
  single.forEach((value, at) => {
    finding = worse(finding, compare('derivative', subject.name, `J v, output ${at}, against double precision: `, recast(value, (wide[at] as HostValue).type), wide[at] as HostValue, 1e-4));
  });
  return finding;
}

function recast(value: HostValue, type: HostValue['type']): HostValue {
  return hostValue(type.dtype, knownShape(type.shape), value.data as ArrayLike<number>);
}

function scaled(value: HostValue, by: number): HostValue {
  return combined(value, value, by, 0);
}

function combined(a: HostValue, b: HostValue, p: number, q: number): HostValue {
  return hostValue(a.type.dtype, knownShape(a.type.shape), Array.from(a.data as ArrayLike<number>, (value, at) => p * value + q * Number(b.data[at])));
}

function largest(value: HostValue): number {
  let size = 0;
  for (const part of value.data) if (Number.isFinite(Number(part))) size = Math.max(size, Math.abs(Number(part)));
  return size;
}
