/** Steps as text, for errors. */
import { type BufferView, type Dim, dimText, type IndexedStep, loop, type Step } from '@tf/core';

/** FNV-1a over UTF-16 units: narrows the search in a cache, decides nothing. */
export function textHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
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
    case 'tile':
      return [`tile ${dimText(step.rows)}`, ...step.steps.map(stepText)].join('\n');
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
