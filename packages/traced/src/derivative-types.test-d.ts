import { type AdContext, exp, type Engine, type HostTensor, type Kind, less, type Of, type Operand, type ResidentTensor, tensor } from '@tf/core';
import { evaluate, grad, hessian, hvp, input, jacobianForward, jacobianReverse, jit, jvp, linearize, linearTranspose, trace, type TracedTensor, valueAndGrad, vjp, vjpMany } from './index.ts';

declare const engine: Engine;
declare const context: AdContext;
declare const f32: HostTensor<'float32'>;
declare const counts: HostTensor<'int32'>;

type F64 = TracedTensor<'float64'>;
type F32 = TracedTensor<'float32'>;
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Takes a value whose type is exactly `T`. */
function isType<T>(): <V>(value: V, ..._same: Equal<V, T> extends true ? [] : [never]) => void {
  return () => {};
}

// A transformed function of objects is traced as it stands, without a lambda around it.
interface Weights { readonly w: F64; readonly b: F64 }
const loss = ({ w, b }: Weights): F64 => w.mul(b).sum();
trace(grad(loss), { w: tensor([1]), b: 2 });
trace(grad(loss, { allowUnused: true }), { w: tensor([1]), b: 2 });
trace(valueAndGrad(loss), { w: tensor([1]), b: 2 });
trace(jacobianForward(loss), { w: 1, b: 2 });
trace(hessian(loss), { w: 1, b: 2 });
const layers = (p: { readonly layers: readonly { readonly w: F64; readonly b?: F64 }[] }, mode: 'a' | 'b'): F64 => (mode === 'a' ? p.layers[0]!.w.sum() : p.layers[0]!.w);
trace(grad(layers), { layers: [{ w: tensor([1]) }] }, 'a');
trace(grad((p: Record<string, F64>) => p['a']!), { a: 1 });
trace(grad((p: readonly F64[]) => p[0]!), [tensor(1), 2]);
// @ts-expect-error an argument of the traced gradient is missing a leaf
trace(grad(loss), { w: tensor([1]) });
// @ts-expect-error and one that has another dtype is refused
trace(grad(loss), { w: f32, b: 2 });

// Functions of core's operands, whatever their kind, give values on the engine when they are run.
const general = (x: Operand<Kind, 'float64'>): Operand<Kind, 'float64'> => exp(x);
const ofKind = <K extends Kind>(p: { readonly w: Operand<K, 'float32'> }): Of<K, 'float32'> => exp(p.w);
isType<ResidentTensor<'float64'>>()(jit(general, { engine })(1));
isType<ResidentTensor<'float32'>>()(jit(ofKind, { engine })({ w: f32 }));
isType<ResidentTensor>()(jit((x: Operand<Kind, 'float64'>): Operand => exp(x), { engine })(1));
isType<ResidentTensor<'float64'>>()(evaluate(general(tensor([1])), engine));
isType<readonly [ResidentTensor<'float32'>, 'kept', ResidentTensor<'float64'>]>()(evaluate([f32, 'kept', input('x')] as const, engine));
trace(grad(general), tensor([1]));
isType<F64>()(grad(general)(1));

// vjpMany gives one gradient per value, in its type.
const [a, b] = [input('a'), input('b', { dtype: 'float32' })];
const many = vjpMany(a.mul(b), [a, b, a], 1, { allowUnused: true, conjugate: true, context });
isType<readonly [F64, F32, F64]>()(many as readonly [F64, F32, F64]);
isType<F32>()(many[1]);
// @ts-expect-error the result is one traced value
vjpMany([a, b], [a], 1);

// hvp: one tree per argument, undefined at integers.
const counted = (p: { readonly w: F64; readonly n: TracedTensor<'int32'> }, s: F32): F64 => p.w.mul(s);
const [product, other] = hvp(counted, [{ w: 1, n: counts }, f32], [{ w: 1, n: undefined }, undefined], { context });
isType<{ readonly w: F64; readonly n: undefined }>()(product);
isType<F32>()(other);
isType<F32>()(hvp(a, b, 1));
const [bare] = hvp((x) => x.mul(x), [3], [1]);
isType<F64>()(bare);
// @ts-expect-error one tangent tree per argument
hvp(counted, [{ w: 1, n: counts }, f32], [{ w: 1, n: undefined }]);

// Jacobians: the result's tree with the arguments' trees at its leaves.
const pair = (p: { readonly w: F64; readonly s: F32 }, k: F64) => ({ y: p.w.mul(p.s).mul(k), positive: less(p.w, 1), note: 'kept' }) as const;
const jacobian = jacobianForward(pair)({ w: 1, s: f32 }, 2);
isType<F64>()(jacobian.y.w);
isType<F32>()(jacobian.y.s);
isType<undefined>()(jacobian.positive);
isType<undefined>()(jacobian.note);
const chosen = jacobianReverse(pair, { argnums: [1, 0], context })({ w: 1, s: f32 }, 2);
isType<F64>()(chosen.y[0]);
isType<F32>()(chosen.y[1].s);
isType<F64>()(jacobianReverse((x) => x.mul(2))(3));
const [block, second] = [jacobianForward(a, b), hessian(a, b)];
isType<F32>()(block);
isType<F32>()(second);
const mixed = hessian(counted, { argnums: [0, 1] })({ w: 1, n: counts }, f32);
isType<F64>()(mixed[0].w[0].w);
isType<F32>()(mixed[0].w[1]);
isType<undefined>()(mixed[0].n);
isType<ResidentTensor<'float64'>>()(jit(hessian(loss), { engine })({ w: 1, b: 2 }).w.b);
// @ts-expect-error a Hessian needs one tensor
hessian((x: F64) => [x]);

// linearize and linearTranspose.
const [value, linear] = linearize(loss, { w: 1, b: 2 });
isType<F64>()(value);
isType<F64>()(linear({ w: 1, b: undefined }));
const [, ofOne] = linearize((x) => x.mul(x), 2);
isType<F64>()(ofOne(1));
// @ts-expect-error a tangent has the structure of its argument
linear({ w: 1 });
const [back] = linearTranspose((x) => x.mul(3), 1)(2, { conjugate: true });
isType<F64>()(back);
const [tree] = linearTranspose((p: Weights) => [p.w, p.b] as const, { w: 1, b: tensor([1, 2]) })([1, undefined]);
isType<{ readonly w: F64; readonly b: F64 }>()(tree);

// The other function forms take options where they have room for them.
vjp((x: F64) => x, 1)[1](1, { conjugate: true, context });
jvp((x: F64) => x, [1], [1], { context });
