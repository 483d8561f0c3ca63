import { hostForm } from '../program/host.ts';
import { type Dim, dimText, isKnown, mulDims } from '../types/dim.ts';
import { type DType, dtypes } from '../types/dtype.ts';
import type { Operand } from '../types/operand.ts';
import { elementCount, type Shape } from '../types/shape.ts';
import { shownAsText } from './inspect.ts';

/** What a tensor is and where, without its values. */
export class TensorInfo {
  readonly dtype: DType;
  readonly shape: Shape;
  /** The elements' own size; where extents are symbolic, an expression of them. */
  readonly bytes: Dim;
  /** Of the engine that holds the values; undefined where none does yet. */
  readonly engine: string | undefined;
  /** *host*: data, or operations on such, in JavaScript. *eager*, *resident*: values that have been computed. *traced*: a value of a program. */
  readonly kind: 'host' | 'resident' | 'eager' | 'traced';
  /** Whether gradients are recorded for it. */
  readonly tracked: boolean;

  constructor(fields: Omit<TensorInfo, 'toString'>) {
    this.dtype = fields.dtype;
    this.shape = fields.shape;
    this.bytes = fields.bytes;
    this.engine = fields.engine;
    this.kind = fields.kind;
    this.tracked = fields.tracked;
  }

  /** One line: `float32[2, 3], 24 bytes, eager on cpu-wasm, tracked`. */
  toString(): string {
    const size = isKnown(this.bytes) ? String(this.bytes) : dimText(this.bytes);
    const where = this.engine === undefined ? this.kind : `${this.kind} on ${this.engine}`;
    return `${this.dtype}[${this.shape.map(dimText).join(', ')}], ${size} bytes, ${where}${this.tracked ? ', tracked' : ''}`;
  }

  static {
    shownAsText(TensorInfo.prototype);
  }
}

/** What an eager tensor says of itself to whoever does not know its package. */
interface EagerFacts {
  readonly tracked: boolean;
  readonly buffer: { readonly engine: { readonly info: { readonly name: string } } } | undefined;
}

const eagerKey = Symbol.for('tf.eager');

/** The info of any operand. */
export function tensorInfo(x: Operand): TensorInfo {
  const { dtype, shape } = x.type;
  const own = { dtype, shape, bytes: mulDims(elementCount(shape), dtypes[dtype].bytes) };
  const facts = (x as { readonly [eagerKey]?: EagerFacts })[eagerKey];
  if (facts !== undefined) return new TensorInfo({ ...own, kind: 'eager', engine: facts.buffer?.engine.info.name, tracked: facts.tracked });
  const form = hostForm(x);
  if (form === undefined) return new TensorInfo({ ...own, kind: 'traced', engine: undefined, tracked: false });
  if (form.form !== 'resident') return new TensorInfo({ ...own, kind: 'host', engine: undefined, tracked: false });
  return new TensorInfo({ ...own, kind: 'resident', engine: (form.buffer as NonNullable<EagerFacts['buffer']>).engine.info.name, tracked: false });
}
