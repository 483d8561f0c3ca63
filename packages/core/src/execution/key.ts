/**
 * A plan as a row of numbers: equal plans have equal rows and different plans different ones. What is no 32-bit integer
 * (names, kernels, symbolic extents) is a text, known by the place where it first came up. Values of constants are not in
 * the row; they are compared as arrays.
 */
import type { BufferView, CallOperand, CallStep, IndexedStep, IotaStep, LoopStep, Plan, PlanBuffer, ScanStep, SortStep, Step } from '../contract.ts';
import type { Dim } from '../types/dim.ts';
import type { TypedArray } from '../types/dtype.ts';
import type { LoopKernel } from '../types/loop-language.ts';
import type { DimConstraint } from '../types/shape.ts';
import type { TensorType } from '../types/tensor-type.ts';
import * as loop from '../loop/index.ts';
import type { Address } from './nested.ts';

export interface PlanKey {
  readonly words: Int32Array;
  readonly texts: readonly string[];
  readonly constants: readonly TypedArray[];
}

export function planKey(plan: Plan): PlanKey {
  const writer = new KeyWriter();
  writer.plan(plan);
  return { ...writer.result(), constants: plan.buffers.flatMap(({ place }) => (place.kind === 'constant' ? [place.data.slice()] : [])) };
}

export function samePlanKey(a: PlanKey, b: PlanKey): boolean {
  if (a.words.length !== b.words.length || a.texts.length !== b.texts.length) return false;
  for (let i = 0; i < a.words.length; i++) if (a.words[i] !== b.words[i]) return false;
  return a.texts.every((text, i) => text === b.texts[i]) && a.constants.every((data, i) => sameBytes(data, b.constants[i]!));
}

/** FNV-1a over the numbers: narrows the search in a cache, decides nothing. */
export function planKeyHash({ words }: PlanKey): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < words.length; i++) hash = Math.imul(hash ^ words[i]!, 0x01000193);
  return hash ^ (hash >>> 15);
}

/** What an entry of a cache keeps alive, about: the key, and a step table of the same size. */
export function planKeyBytes({ words, constants }: PlanKey): number {
  return constants.reduce((sum, { byteLength }) => sum + byteLength, 2 * words.byteLength);
}

/** Bit patterns, so that NaN equals itself and −0 differs from 0. */
function sameBytes(a: TypedArray, b: TypedArray): boolean {
  if (a.byteLength !== b.byteLength) return false;
  const x = new Uint8Array(a.buffer, a.byteOffset, a.byteLength);
  const y = new Uint8Array(b.buffer, b.byteOffset, b.byteLength);
  return x.every((byte, i) => byte === y[i]);
}

/** Announces the number of a text; as a number it is written as text itself. */
const TEXT = -(2 ** 31);

class KeyWriter {
  #words: Int32Array = new Int32Array(1024);
  #length = 0;
  readonly #texts = new Map<string, number>();
  /** Steps share kernels: each object is printed once. */
  readonly #kernels = new Map<LoopKernel, number>();

  result(): Pick<PlanKey, 'words' | 'texts'> {
    return { words: this.#words.slice(0, this.#length), texts: [...this.#texts.keys()] };
  }

  plan({ inputs, outputs, buffers, slots, steps, constraints, donations = [] }: Plan): void {
    this.#list(inputs, this.#type);
    this.#list(outputs, this.#type);
    this.#list(buffers, this.#buffer);
    this.#list(slots, this.#dims);
    this.#list(donations, ({ input, output }) => {
      this.#put(input);
      this.#put(output);
    });
    this.#steps(steps);
    this.#list(constraints, this.#constraint);
  }

  #list<T>(items: readonly T[], write: (item: T) => void): void {
    this.#put(items.length);
    for (let i = 0; i < items.length; i++) write(items[i]!);
  }

  readonly #type = ({ dtype, shape }: TensorType): void => {
    this.#text(dtype);
    this.#dims(shape);
  };

  readonly #buffer = ({ dtype, elements, place }: PlanBuffer): void => {
    this.#text(dtype);
    this.#dim(elements);
    this.#text(place.kind);
    this.#put(place.kind === 'arena' || place.kind === 'tile' ? place.slot : place.kind === 'constant' ? place.data.length : place.index);
  };

  readonly #constraint = ({ left, right, relation, reason }: DimConstraint): void => {
    this.#dim(left);
    this.#dim(right);
    this.#text(relation ?? 'equal');
    this.#text(reason);
  };

  readonly #step = (step: Step): void => {
    this.#text(step.kind);
    switch (step.kind) {
      case 'loop':
        this.#loop(step);
        return;
      case 'contract':
        this.#text(step.dtype);
        this.#dims(step.batch);
        for (const dim of [step.m, step.n, step.k]) this.#dim(dim);
        for (const view of [step.lhs, step.rhs, step.out]) this.#view(view);
        return;
      case 'iota':
      case 'scan':
      case 'sort':
        this.#alongAxis(step);
        return;
      case 'gather':
      case 'scatter':
        this.#indexed(step);
        if (step.kind === 'scatter') this.#text(step.combine);
        for (const view of step.kind === 'gather' ? [step.source, step.out] : [step.updates, step.target]) this.#view(view);
        return;
      case 'tile':
        this.#dim(step.rows);
        this.#steps(step.steps);
        return;
      case 'repeat':
        this.#text(step.counter);
        this.#dim(step.count);
        this.#steps(step.steps);
        return;
      case 'while':
        this.#view(step.holds);
        this.#steps(step.condition);
        this.#steps(step.steps);
        return;
      case 'branch':
        this.#view(step.index);
        this.#list(step.branches, this.#steps);
        return;
      case 'call':
        this.#call(step);
        return;
      case 'size':
        this.#dim(step.value);
        this.#address(step.to);
        return;
      case 'extent':
        this.#text(step.symbol);
        this.#dim(step.bound);
        this.#address(step.from);
        this.#address(step.to);
        return;
      case 'copy':
        this.#text(step.dtype);
        this.#dim(step.elements);
        for (const side of [step.from, step.to]) this.#address(side);
    }
  };

  readonly #steps = (steps: readonly Step[]): void => this.#list(steps, this.#step);

  #loop({ kernel, extents, reads, writes }: LoopStep): void {
    let known = this.#kernels.get(kernel);
    if (known === undefined) {
      known = this.#textNumber(loop.kernelText(kernel));
      this.#kernels.set(kernel, known);
    }
    this.#put(known);
    this.#dims(extents);
    this.#list(reads, this.#view);
    this.#list(writes, this.#view);
  }

  #call({ symbol, integers, inputs, outputs, workspace }: CallStep): void {
    this.#text(symbol);
    this.#dims(integers);
    for (const operands of [inputs, outputs, workspace === undefined ? [] : [workspace]]) this.#list(operands, this.#operand);
  }

  readonly #operand = ({ buffer, offset, dtype, elements }: CallOperand): void => {
    this.#address({ buffer, offset });
    this.#text(dtype);
    this.#dim(elements);
  };

  #alongAxis(step: IotaStep | ScanStep | SortStep): void {
    if (step.kind === 'scan') this.#scan(step);
    else if (step.kind === 'sort') this.#sort(step);
    else {
      this.#text(step.dtype);
      this.#dim(step.elements);
      this.#view({ ...step.out, strides: [] });
    }
  }

  #sort({ dtype, descending, extents, from, values, indices, workspace }: SortStep): void {
    this.#text(dtype);
    this.#put(Number(descending));
    this.#dims(extents);
    this.#list([from, values, indices, { ...workspace, strides: [] }], this.#view);
  }

  #scan({ kernel, extents, reads, write }: ScanStep): void {
    this.#text(loop.scanText(kernel));
    this.#dims(extents);
    this.#list([...reads, write], this.#view);
  }

  #indexed({ dtype, extents, indices, rows, rowStride, named }: IndexedStep): void {
    this.#text(dtype);
    // Errors name it.
    this.#text(named === undefined ? '' : `${named.called} ${named.argument ?? ''} ${named.fromStart === true}`);
    this.#dims(extents);
    this.#view(indices);
    this.#dim(rows);
    this.#dim(rowStride);
  }

  readonly #view = (view: BufferView): void => {
    this.#address(view);
    this.#dims(view.strides);
  };

  #address({ buffer, offset }: Address): void {
    this.#put(buffer);
    this.#dim(offset);
  }

  readonly #dims = (dims: readonly Dim[]): void => {
    this.#put(dims.length);
    for (let i = 0; i < dims.length; i++) this.#dim(dims[i]!);
  };

  #dim(dim: Dim): void {
    if (typeof dim === 'number' && (dim | 0) === dim && dim !== TEXT) {
      this.#put(dim);
    } else {
      this.#put(TEXT);
      this.#text(typeof dim === 'number' ? String(dim) : dim.text);
    }
  }

  #text(text: string): void {
    this.#put(this.#textNumber(text));
  }

  #textNumber(text: string): number {
    let number = this.#texts.get(text);
    if (number === undefined) {
      number = this.#texts.size;
      this.#texts.set(text, number);
    }
    return number;
  }

  #put(word: number): void {
    if (this.#length === this.#words.length) {
      const larger = new Int32Array(2 * this.#length);
      larger.set(this.#words);
      this.#words = larger;
    }
    this.#words[this.#length++] = word;
  }
}
