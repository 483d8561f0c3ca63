import { exp, type Engine, type HostTensor, type Operand, type ResidentTensor, tensor } from '@tf/core';
import { compile, evaluate, grad, gradOptional, input, jit, jvp, trace, type TracedKind, type TracedTensor, valueAndGrad, vjp } from './index.ts';

declare const engine: Engine;
declare const f32: HostTensor<'float32'>;
declare const counts: HostTensor<'int32'>;

type F64 = TracedTensor<'float64'>;
type F32 = TracedTensor<'float32'>;
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

function holds<_T extends true>(): void {}

// Inputs are float64 unless they say otherwise; operations and gradients keep dtypes apart.
const x = input('x');
const y = input('y', { dtype: 'float32', shape: ['n'] });
holds<Equal<typeof x, F64>>();
holds<Equal<typeof y, F32>>();
const promoted = x.mul(y);
holds<Equal<typeof promoted, F64>>();
const gradient = promoted.sum().grad(y);
holds<Equal<typeof gradient, F32>>();
const optional = gradOptional(promoted, y);
holds<Equal<typeof optional, F32 | undefined>>();

// A bare lambda takes and gives float64.
const derivative = grad((a) => a.mul(a));
const slope = derivative(3);
holds<Equal<typeof slope, F64>>();
const nested = grad((a) => a.mul(grad((b) => a.mul(b))(a)))(3);
holds<Equal<typeof nested, F64>>();

// Trees keep their structure; integers have no gradient.
interface Params { readonly w: readonly [F64, F32]; readonly n: TracedTensor<'int32'> }
const loss = (p: Params, scale: F64): F64 => p.w[0].mul(p.w[1]).sum().mul(scale);
const tree = grad(loss)({ w: [1, f32], n: counts }, 2);
holds<Equal<typeof tree, { readonly w: readonly [F64, F32]; readonly n: undefined }>>();
const [value, both] = valueAndGrad(loss, { argnums: [0, 1] })({ w: [1, f32], n: counts }, 2);
holds<Equal<typeof value, F64>>();
const [, second] = both;
holds<Equal<typeof second, F64>>();
const [, aux] = valueAndGrad((a: F64) => [a, { note: 'kept' }] as const, { hasAux: true })(1)[0];
holds<Equal<typeof aux, { readonly note: 'kept' }>>();
const [pulled, pullback] = vjp((a: F64) => [a.mul(2), a] as const, 1);
holds<Equal<(typeof pulled)[0], F64>>();
const [back] = pullback([1, undefined]);
holds<Equal<typeof back, F64>>();
const [, tangent] = jvp((a: F32) => ({ a }), [f32], [1]);
holds<Equal<typeof tangent, { readonly a: F32 }>>();

// jit: any tensor of that dtype comes in, results are resident, other leaves stay.
const step = jit((p: Params, rate: TracedTensor<never>) => ({ w: p.w[1].mul(rate), note: 'kept' as const, list: [p.w[0]] as const }), { engine });
const result = step({ w: [1, f32], n: counts }, 0.1);
holds<Equal<typeof result, { readonly w: ResidentTensor<'float32'>; readonly note: 'kept'; readonly list: readonly [ResidentTensor<'float64'>] }>>();
step({ w: [result.list[0], result.w], n: counts }, 0.2);
const inlined = step({ w: [x, y], n: input('n', { dtype: 'int32' }) }, null as never as TracedTensor<never>);
holds<Equal<typeof inlined.w, F32>>();
const outside = compile({ total: promoted.sum() }, { engine })({ x: 1, y: f32 });
holds<Equal<typeof outside, { readonly total: ResidentTensor<'float64'> }>>();
const [evaluated] = evaluate([promoted, 'kept'], engine);
holds<Equal<typeof evaluated, ResidentTensor<'float64'>>>();

// A model written for any front end serves here when it is told which.
type Model<K extends TracedKind> = (a: Operand<K, 'float64'>) => ReturnType<typeof exp<K, 'float64'>>;
const model: Model<TracedKind> = (a) => exp(a);
holds<Equal<ReturnType<typeof model>, F64>>();

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
holds<Equal<typeof bareTangent, F64>>();
const [bareValue, barePullback] = vjp((a, b) => a.mul(b), 3, 4);
holds<Equal<typeof bareValue, F64>>();
barePullback(1);
trace((a) => a.mul(a), 3);
trace(loss, { w: [1, f32], n: counts }, 2);

// Transforms compose: what one returns another takes.
const secondOf = grad(grad((a) => a.mul(a)));
holds<Equal<ReturnType<typeof secondOf>, F64>>();
const compiledGradient = jit(grad(loss), { engine });
holds<Equal<ReturnType<typeof compiledGradient>['w'], readonly [ResidentTensor<'float64'>, ResidentTensor<'float32'>]>>();
compiledGradient({ w: [1, f32], n: counts }, 2);
trace(grad(loss), { w: [1, f32], n: counts }, 2);
trace((a: TracedTensor) => a, f32);
const [, pullTree] = vjp(grad(loss), { w: [1, f32], n: counts }, 2);
const pulledTree = pullTree({ w: [1, undefined], n: undefined });
holds<Equal<(typeof pulledTree)[0]['w'][1], F32>>();
