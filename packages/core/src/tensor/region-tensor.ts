import type { Var, VarKind } from '../contract.ts';
import { type Builder, traceRegion } from '../program/builder.ts';
import type { DType } from '../types/dtype.ts';
import type { Listener, RegionBody, TracedRegion } from '../types/operand.ts';
import type { TensorType } from '../types/tensor-type.ts';
import { TensorMethods } from './methods.generated.ts';

/** A value of a program that has the methods of tensors: what functions get that `scan` and its relatives run. */
class RegionTensor<D extends DType> extends TensorMethods<VarKind, D> implements Var<D> {
  readonly owner: Builder;
  readonly id: number;
  readonly type: TensorType<D>;
  readonly name: string | undefined;

  constructor(owner: Builder, id: number, type: TensorType<D>, name: string | undefined) {
    super();
    this.owner = owner;
    this.id = id;
    this.type = type;
    this.name = name;
  }

  get listener(): Listener<VarKind> {
    return this.owner.listener;
  }
}

/** Runs a region's function on values with methods, for listeners that have no way of their own. */
export function regionWithMethods(body: RegionBody, types: readonly TensorType[]): TracedRegion {
  return traceRegion(body, types, (owner, id, type, name) => new RegionTensor(owner, id, type, name));
}
