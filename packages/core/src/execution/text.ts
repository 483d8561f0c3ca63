/** Steps as text, for errors. */
import type { BufferView, CallOperand, IndexedStep, Step } from '../contract.ts';
import { type Dim, dimText } from '../types/dim.ts';
import * as loop from '../loop/index.ts';
import type { Address } from './nested.ts';

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
    case 'scan':
      return `scan ${dimsText(step.extents)} ${step.reads.map(viewText).join(' ')} -> ${viewText(step.write)}\n${loop.scanText(step.kernel)}`;
    case 'sort':
      return `sort ${step.dtype} ${step.descending ? 'descending ' : ''}${dimsText(step.extents)} ${viewText(step.from)} -> ${viewText(step.values)} ${viewText(step.indices)}`;
    case 'iota':
      return `iota ${step.dtype} ${dimText(step.elements)} -> ${step.out.buffer}+${dimText(step.out.offset)}`;
    case 'tile':
      return withSteps(`tile ${dimText(step.rows)}`, step.steps);
    case 'repeat':
      return withSteps(`repeat ${step.counter} < ${dimText(step.count)}`, step.steps);
    case 'while':
      return [withSteps('condition', step.condition), withSteps(`while ${addressText(step.holds)}`, step.steps)].join('\n');
    case 'branch':
      return step.branches.map((steps, i) => withSteps(`branch ${i} by ${addressText(step.index)}`, steps)).join('\n');
    case 'call':
      return `call ${step.symbol} ${dimsText(step.integers)} ${step.inputs.map(operandText).join(' ')} -> ${step.outputs.map(operandText).join(' ')}${step.workspace === undefined ? '' : ` with ${operandText(step.workspace)}`}`;
    case 'size':
      return `size ${dimText(step.value)} -> ${addressText(step.to)}`;
    case 'extent':
      return `extent ${step.symbol} <= ${dimText(step.bound)} ${addressText(step.from)} -> ${addressText(step.to)}`;
    case 'copy':
      return `copy ${step.dtype} ${dimText(step.elements)} ${addressText(step.from)} -> ${addressText(step.to)}`;
  }
}

function withSteps(title: string, steps: readonly Step[]): string {
  return [title, ...steps.map((step) => `  ${stepText(step).replaceAll('\n', '\n  ')}`)].join('\n');
}

function indexedText({ dtype, extents, indices, rows, rowStride }: IndexedStep): string {
  return `${dtype} ${dimsText(extents)} ${viewText(indices)} of ${dimText(rows)} by ${dimText(rowStride)}`;
}

function viewText(view: BufferView): string {
  return `${addressText(view)}${dimsText(view.strides)}`;
}

function operandText({ buffer, offset, dtype, elements }: CallOperand): string {
  return `${addressText({ buffer, offset })}:${dtype}[${dimText(elements)}]`;
}

function addressText({ buffer, offset }: Address): string {
  return `${buffer}+${dimText(offset)}`;
}

function dimsText(dims: readonly Dim[]): string {
  return `[${dims.map(dimText).join(',')}]`;
}
