import type { Params, Rule } from '../contract.ts';
import * as scalar from '../loop/scalar.ts';
import { type DType, dtypes } from '../types/dtype.ts';
import type { ScalarExpr, ScalarType } from '../types/loop-language.ts';
import { broadcastShapes } from '../types/shape.ts';
import { tensorType } from '../types/tensor-type.ts';
import { definePrimitive, type Primitive, requireDType } from './define.ts';

/** A value of the loop language: one expression, or real and imaginary part. */
export type Lanes = readonly [ScalarExpr] | readonly [ScalarExpr, ScalarExpr];

export interface ElementwiseDefinition {
  readonly name: string;
  readonly inputs: number;
  readonly dtypes: readonly DType[];
  /** The result's dtype; by default the operands' own. */
  readonly result?: (dtype: DType) => DType;
  /** One element of real operands, computed in the operands' scalar type. */
  readonly real: (...args: readonly ScalarExpr[]) => ScalarExpr;
  /** The same for complex operands. */
  readonly complex?: (...args: readonly Lanes[]) => readonly ScalarExpr[];
  readonly rule: Rule;
}

/**
 * An operation on elements. All operands have one dtype and broadcast by NumPy's rules; rules ignore broadcasting, which
 * the transforms undo in one place.
 */
export function defineElementwise(definition: ElementwiseDefinition): Primitive {
  return definePrimitive({
    name: definition.name,
    inputs: definition.inputs,
    infer: (inputs, _params, sink, op) => {
      const dtype = inputs[0]!.dtype;
      for (const input of inputs) {
        requireDType(op, input, definition.dtypes);
        requireDType(op, input, [dtype]);
      }
      const result = definition.result?.(dtype) ?? dtype;
      const shape = broadcastShapes(op, inputs.map((input) => input.shape), sink);
      // A long program has few types: what is equal is one object where that is seen at once.
      return [inputs.find((input) => input.dtype === result && input.shape === shape) ?? tensorType(result, shape)];
    },
    traits: { elementwise: (_params: Params, inputs) => elementOf(definition, inputs) },
    rule: definition.rule,
  });
}

function elementOf(definition: ElementwiseDefinition, inputs: readonly DType[]): readonly ScalarExpr[] {
  const lanes = inputs.map((dtype, index) => lanesOf(dtype, index));
  if (definition.complex !== undefined && dtypes[inputs[0]!].kind === 'complex') return definition.complex(...lanes);
  return [definition.real(...lanes.map((lane) => lane[0]))];
}

function lanesOf(dtype: DType, index: number): Lanes {
  const type = scalar.scalarTypeOf(dtype);
  const re = scalar.argument(type, index, 0);
  return dtypes[dtype].lanes === 2 ? [re, scalar.argument(type, index, 1)] : [re];
}

/** Applies a real function to real and imaginary part alike. */
export function lanewise(f: (...args: readonly ScalarExpr[]) => ScalarExpr): (...args: readonly Lanes[]) => readonly ScalarExpr[] {
  return (...args) => [f(...args.map((lanes) => lanes[0])), f(...args.map((lanes) => lanes[1] as ScalarExpr))];
}

/** A call of a function of `loop/functions` in its operand's type. */
export function calls(name: string): (x: ScalarExpr) => ScalarExpr {
  return (x) => scalar.call(name, x.type as ScalarType, x);
}

/** (a + ib)(c + id) = ac − bd + i(ad + bc), each operation rounded. */
export function complexProduct(...[a, b]: readonly Lanes[]): readonly ScalarExpr[] {
  const [ar, ai] = a as readonly [ScalarExpr, ScalarExpr];
  const [br, bi] = b as readonly [ScalarExpr, ScalarExpr];
  return [scalar.sub(scalar.mul(ar, br), scalar.mul(ai, bi)), scalar.add(scalar.mul(ar, bi), scalar.mul(ai, br))];
}
