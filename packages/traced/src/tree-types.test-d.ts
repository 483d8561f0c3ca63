import { exp, type Engine, type HostTensor, type Operand, type ResidentTensor, tensor } from '@tf/core';
import { compile, evaluate, grad, gradOptional, input, jit, jvp, trace, type TracedKind, type TracedTensor, valueAndGrad, vjp } from './index.ts';

declare const engine: Engine;
declare const f32: HostTensor<'float32'>;
declare const counts: HostTensor<'int32'>;

type F64 = TracedTensor<'float64'>;
type F32 = TracedTensor<'float32'>;
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Takes a value whose type is exactly `T`. */
function isType<T>(): <V>(value: V, ..._same: Equal<V, T> extends true ? [] : [never]) => void {
  return () => {};
}

// Inputs are float64 unless they say otherwise; operations and gradients keep dtypes apart.
const x = input('x');
const y = input('y', { dtype: 'float32', shape: ['n'] });
isType<F64>()(x);
isType<F32>()(y);
const promoted = x.mul(y);
isType<F64>()(promoted);
const gradient = promoted.sum().grad(y);
isType<F32>()(gradient);
const optional = gradOptional(promoted, y);
isType<F32 | undefined>()(optional);

// A bare lambda takes and gives float64.
const derivative = grad((a) => a.mul(a));
const slope = derivative(3);
isType<F64>()(slope);
const nested = grad((a) => a.mul(grad((b) => a.mul(b))(a)))(3);
isType<F64>()(nested);

// Trees keep their structure; integers have no gradient.
interface Params { readonly w: readonly [F64, F32]; readonly n: TracedTensor<'int32'> }
const loss = (p: Params, scale: F64): F64 => p.w[0].mul(p.w[1]).sum().mul(scale);
const tree = grad(loss)({ w: [1, f32], n: counts }, 2);
isType<{ readonly w: readonly [F64, F32]; readonly n: undefined }>()(tree);
const [value, both] = valueAndGrad(loss, { argnums: [0, 1] })({ w: [1, f32], n: counts }, 2);
isType<F64>()(value);
const [, second] = both;
isType<F64>()(second);
const [, aux] = valueAndGrad((a: F64) => [a, { note: 'kept' }] as const, { hasAux: true })(1)[0];
isType<{ readonly note: 'kept' }>()(aux);
const [pulled, pullback] = vjp((a: F64) => [a.mul(2), a] as const, 1);
isType<F64>()(pulled[0]);
const [back] = pullback([1, undefined]);
isType<F64>()(back);
const [, tangent] = jvp((a: F32) => ({ a }), [f32], [1]);
isType<{ readonly a: F32 }>()(tangent);

// jit: any tensor of that dtype comes in, results are resident, other leaves stay.
const step = jit((p: Params, rate: TracedTensor<never>) => ({ w: p.w[1].mul(rate), note: 'kept' as const, list: [p.w[0]] as const }), { engine });
const result = step({ w: [1, f32], n: counts }, 0.1);
isType<{ readonly w: ResidentTensor<'float32'>; readonly note: 'kept'; readonly list: readonly [ResidentTensor<'float64'>] }>()(result);
step({ w: [result.list[0], result.w], n: counts }, 0.2);
const inlined = step({ w: [x, y], n: input('n', { dtype: 'int32' }) }, null as never as TracedTensor<never>);
isType<F32>()(inlined.w);
const outside = compile({ total: promoted.sum() }, { engine })({ x: 1, y: f32 });
isType<{ readonly total: ResidentTensor<'float64'> }>()(outside);
const [evaluated] = evaluate([promoted, 'kept'], engine);
isType<ResidentTensor<'float64'>>()(evaluated);

// A model written for any front end serves here when it is told which.
type Model<K extends TracedKind> = (a: Operand<K, 'float64'>) => ReturnType<typeof exp<K, 'float64'>>;
const model: Model<TracedKind> = (a) => exp(a);
isType<F64>()(model(x));

// @ts-expect-error a float32 leaf refuses a float64 tensor
step({ w: [1, tensor([1, 2])], n: counts }, 0.1);
// @ts-expect-error a leaf is missing
step({ w: [1, f32] }, 0.1);
// @ts-expect-error the argument list is too short
step({ w: [1, f32], n: counts });
// @ts-expect-error gradients exist with respect to traced values only
x.grad(f32);
// @ts-expect-error a function that is differentiated returns a tensor
grad((a: F64) => [a]);
// @ts-expect-error numbers arrive traced, so a leaf declared as number is refused
jit((a: F64, n: number) => a.mul(n), { engine })(1, 2);
// @ts-expect-error a dtype that does not exist
input('x', { dtype: 'float16' });

// Bare lambdas also in vjp, jvp and trace.
const [, bareTangent] = jvp((a) => a.mul(a), [3], [1]);
isType<F64>()(bareTangent);
const [bareValue, barePullback] = vjp((a, b) => a.mul(b), 3, 4);
isType<F64>()(bareValue);
barePullback(1);
trace((a) => a.mul(a), 3);
trace(loss, { w: [1, f32], n: counts }, 2);

// Transforms compose: what one returns another takes.
const secondOf = grad(grad((a) => a.mul(a)));
isType<F64>()(secondOf(3));
const compiledGradient = jit(grad(loss), { engine });
isType<readonly [ResidentTensor<'float64'>, ResidentTensor<'float32'>]>()(compiledGradient({ w: [1, f32], n: counts }, 2).w);
trace(grad(loss), { w: [1, f32], n: counts }, 2);
trace((a: TracedTensor) => a, f32);
const [, pullTree] = vjp(grad(loss), { w: [1, f32], n: counts }, 2);
const pulledTree = pullTree({ w: [1, undefined], n: undefined });
isType<F32>()(pulledTree[0]['w'][1]);
