/** A plan as text: equal plans have equal texts. Values of constants are not in it; they are compared as arrays. */
import { type BufferView, type Dim, dimText, type IndexedStep, loop, type Plan, type PlanBuffer, type Step, type TypedArray, typeText } from '@tf/core';

export interface PlanKey {
  readonly text: string;
  readonly constants: readonly TypedArray[];
}

export function planKey(plan: Plan): PlanKey {
  const constants = plan.buffers.flatMap(({ place }) => (place.kind === 'constant' ? [place.data.slice()] : []));
  return { text: planText(plan), constants };
}

export function samePlanKey(a: PlanKey, b: PlanKey): boolean {
  return a.text === b.text && a.constants.every((data, i) => sameBytes(data, b.constants[i]!));
}

/** FNV-1a over UTF-16 units: narrows the search in a cache, decides nothing. */
export function textHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}

/** Bit patterns, so that NaN equals itself and −0 differs from 0. */
function sameBytes(a: TypedArray, b: TypedArray): boolean {
  if (a.byteLength !== b.byteLength) return false;
  const x = new Uint8Array(a.buffer, a.byteOffset, a.byteLength);
  const y = new Uint8Array(b.buffer, b.byteOffset, b.byteLength);
  return x.every((byte, i) => byte === y[i]);
}

function planText(plan: Plan): string {
  return [
    `inputs ${plan.inputs.map(typeText).join(' ')}`,
    `outputs ${plan.outputs.map(typeText).join(' ')}`,
    ...plan.buffers.map(bufferText),
    ...plan.slots.map((slot) => `slot ${dimsText(slot)}`),
    ...plan.steps.map(stepText),
    ...plan.constraints.map(({ left, right, reason }) => `constraint ${dimText(left)} = ${dimText(right)} ${JSON.stringify(reason)}`),
  ].join('\n');
}

function bufferText({ dtype, elements, place }: PlanBuffer): string {
  const where = place.kind === 'arena' ? place.slot : place.kind === 'constant' ? place.data.length : place.index;
  return `buffer ${dtype} ${dimText(elements)} ${place.kind} ${where}`;
}

/** A step in full, its kernel included. */
export function stepText(step: Step): string {
  switch (step.kind) {
    case 'loop':
      return `loop ${dimsText(step.extents)} ${step.reads.map(viewText).join(' ')} -> ${step.writes.map(viewText).join(' ')}\n${loop.kernelText(step.kernel)}`;
    case 'contract':
      return `contract ${step.dtype} ${dimsText([...step.batch, step.m, step.n, step.k])} ${viewText(step.lhs)} ${viewText(step.rhs)} -> ${viewText(step.out)}`;
    case 'gather':
      return `gather ${indexedText(step)} ${viewText(step.source)} -> ${viewText(step.out)}`;
    case 'scatter':
      return `scatter ${step.combine} ${indexedText(step)} ${viewText(step.updates)} -> ${viewText(step.target)}`;
    case 'copy':
      return `copy ${step.dtype} ${dimText(step.elements)} ${step.from.buffer}+${dimText(step.from.offset)} -> ${step.to.buffer}+${dimText(step.to.offset)}`;
  }
}

function indexedText({ dtype, extents, indices, rows, rowStride }: IndexedStep): string {
  return `${dtype} ${dimsText(extents)} ${viewText(indices)} of ${dimText(rows)} by ${dimText(rowStride)}`;
}

function viewText({ buffer, offset, strides }: BufferView): string {
  return `${buffer}+${dimText(offset)}${dimsText(strides)}`;
}

function dimsText(dims: readonly Dim[]): string {
  return `[${dims.map(dimText).join(',')}]`;
}
