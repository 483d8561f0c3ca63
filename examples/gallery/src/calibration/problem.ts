/** A camera found from pictures of a chessboard: least squares by products with the Jacobian. */
import { AdContext, add, concat, cos, createCatalog, diagonal, div, type Engine, matmul, mul, normal, randomKey, reshape, sin, slice, sqrt, square, sub, sum, tensor, transpose } from '@tf/core';
import { cross, inv, linalgExtension } from '@tf/linalg';
import { leastSquares, type LeastSquaresStep } from '@tf/optim';
import { jacobianForward, jit, jvp, type TracedTensor, vjp } from '@tf/traced';

type T = TracedTensor<'float64'>;

/** Everything unknown: the lens, [6], and where the board is in each view, [views, 3] twice. Tensors, or what makes them. */
export interface Unknowns<V> {
  readonly lens: V;
  readonly rotations: V;
  readonly shifts: V;
}

const along = (x: T, at: number): T => slice(x, [...x.type.shape.slice(1).map(() => 0), at], [...(x.type.shape.slice(0, -1) as readonly number[]), at + 1]);

/** Vectors [points, 3] turned around each axis by its length, [views, 3] → [views, points, 3] (Rodrigues' formula). */
export function rotate(points: T, rotations: T): T {
  const axis = reshape(rotations, [-1, 1, 3]);
  // A board that faces the camera is not turned at all: the root has no derivative there, so it is taken a little beside.
  const angle = sqrt(sum(square(axis), { axes: -1, keepdims: true }).add(1e-24));
  const unit = div(axis, angle);
  const onAxis = sum(mul(points, unit), { axes: -1, keepdims: true });
  return add(add(mul(points, cos(angle)), mul(cross(unit, points), sin(angle))), mul(mul(unit, onAxis), sub(1, cos(angle))));
}

/** Pixels, in thousands, of the points in each view: [views, points, 2]. */
export function project({ lens, rotations, shifts }: Unknowns<T>, points: T): T {
  const seen = add(rotate(points, rotations), reshape(shifts, [-1, 1, 3]));
  const flat = div(concat([along(seen, 0), along(seen, 1)], -1), along(seen, 2));
  const radius = sum(square(flat), { axes: -1, keepdims: true });
  const bent = add(mul(add(mul(radius, slice(lens, [5], [6])), slice(lens, [4], [5])), radius), 1);
  return add(mul(mul(flat, bent), slice(lens, [0], [2])), slice(lens, [2], [4]));
}

/** The unknowns side by side, [6 + 6·views]. */
function flattened({ lens, rotations, shifts }: Unknowns<T>): T {
  return concat([lens, reshape(rotations, [-1]), reshape(shifts, [-1])]);
}

function unflattened(x: T, views: number): Unknowns<T> {
  return { lens: slice(x, [0], [6]), rotations: reshape(slice(x, [6], [6 + 3 * views]), [views, 3]), shifts: reshape(slice(x, [6 + 3 * views], [6 + 6 * views]), [views, 3]) };
}

export interface Calibrated {
  readonly unknowns: Unknowns<Float64Array>;
  /** The root mean square of the residuals, two for each corner. */
  readonly residual: number;
  readonly converged: boolean;
  readonly iterations: number;
  /** Products with J and with its transpose. */
  readonly products: number;
}

export interface Calibration {
  /** The pixels of the corners, [views·points·2], with noise. */
  readonly photograph: (unknowns: Unknowns<Float64Array>, noise: number, seed: number) => Promise<Float64Array>;
  readonly calibrate: (pixels: Float64Array, start: Unknowns<Float64Array>, onStep?: (step: LeastSquaresStep) => Promise<void>) => Promise<Calibrated>;
  /** The standard deviations of the lens' numbers for noise of size 1: √ of the diagonal of (JᵀJ)⁻¹. */
  readonly standardErrors: (unknowns: Unknowns<Float64Array>) => Promise<Float64Array>;
}

/** The compiled programs for a number of views of these corners, [points, 3]. */
export function createCalibration(engine: Engine, corners: Float64Array, views: number): Calibration {
  const options = { engine, context: new AdContext({ catalog: createCatalog([linalgExtension]) }) };
  const [points, count] = [tensor(corners, { shape: [corners.length / 3, 3] }), corners.length / 3];
  const shape = [views, count, 2];
  const treeOf = ({ lens, rotations, shifts }: Unknowns<Float64Array>) => ({ lens: tensor(lens), rotations: tensor(rotations, { shape: [views, 3] }), shifts: tensor(shifts, { shape: [views, 3] }) });
  const photograph = jit((x: Unknowns<T>, p: T, noise: T, key: TracedTensor<'int32'>) => add(project(x, p), mul(normal(key, shape), noise)), options);
  const residual = jit((x: Unknowns<T>, p: T, pixels: T) => sub(project(x, p), pixels), options);
  const push = jit((x: Unknowns<T>, v: Unknowns<T>, p: T) => jvp((at: Unknowns<T>) => project(at, p), [x], [v])[1], options);
  const pull = jit((x: Unknowns<T>, w: T, p: T) => vjp((at: Unknowns<T>) => project(at, p), x)[1](w)[0], options);
  const deviations = jit((x: Unknowns<T>, p: T) => {
    const jacobian = reshape(jacobianForward((at: T) => project(unflattened(at, views), p))(flattened(x)), [2 * views * count, 6 + 6 * views]);
    return sqrt(slice(diagonal(inv(matmul(transpose(jacobian), jacobian))), [0], [6]));
  }, options);
  return {
    photograph: async (x, noise, seed) => photograph(treeOf(x), points, tensor(noise), randomKey(seed)).data(),
    standardErrors: async (x) => deviations(treeOf(x), points).data(),
    async calibrate(pixels, start, onStep) {
      const given = tensor(pixels, { shape });
      let products = 0;
      const found = await leastSquares({
        residual: (x: ReturnType<typeof treeOf>) => residual(x, points, given),
        push: (x, v) => (products++, push(x, v, points)),
        pull: (x, w) => (products++, pull(x, w, points)),
      }, treeOf(start), { gradientTolerance: 1e-7, maxIterations: 200, ...(onStep === undefined ? {} : { onStep }) });
      const { lens, rotations, shifts } = found.parameters;
      const unknowns = { lens: await lens.data(), rotations: await rotations.data(), shifts: await shifts.data() };
      return { unknowns, residual: Math.sqrt((2 * found.cost) / pixels.length), converged: found.converged, iterations: found.iteration, products };
    },
  };
}
