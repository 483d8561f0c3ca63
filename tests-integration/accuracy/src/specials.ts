/** Arguments with one right answer, in every format: IEEE 754-2019, §9.2.1, and the limits of the functions that it does not name. */
const [inf, nan] = [Infinity, NaN];

/** [x, value], or [x, y, value]. */
export const specials: { readonly [name: string]: readonly (readonly number[])[] } = {
  cos: [[0, 1], [-0, 1], [inf, nan], [-inf, nan], [nan, nan]],
  erf: [[0, 0], [-0, -0], [inf, 1], [-inf, -1], [nan, nan], [1e30, 1], [-7, -1]],
  erfc: [[0, 1], [-0, 1], [inf, 0], [-inf, 2], [nan, nan], [1e30, 0], [-1e30, 2], [28, 0]],
  exp: [[0, 1], [-0, 1], [inf, inf], [-inf, 0], [nan, nan], [1e30, inf], [-1e30, 0]],
  expm1: [[0, 0], [-0, -0], [inf, inf], [-inf, -1], [nan, nan], [1e30, inf], [-1e30, -1]],
  log: [[0, -inf], [-0, -inf], [1, 0], [inf, inf], [-inf, nan], [nan, nan], [-1, nan], [-1e-40, nan], [-1e30, nan]],
  log1p: [[0, 0], [-0, -0], [-1, -inf], [inf, inf], [-inf, nan], [nan, nan], [-2, nan], [-1e30, nan]],
  pow: [
    [nan, 0, 1], [nan, -0, 1], [inf, 0, 1], [0, 0, 1], [-0, -0, 1], [-5, 0, 1], [1, nan, 1], [1, inf, 1], [1, -inf, 1], [-1, inf, 1], [-1, -inf, 1],
    [nan, 1, nan], [2, nan, nan], [-1, nan, nan], [0, nan, nan], [nan, inf, nan], [nan, -inf, nan], [-2, 0.5, nan], [-8, 1.5, nan],
    [0, 3, 0], [0, 0.5, 0], [0, inf, 0], [0, -3, inf], [0, -0.5, inf], [0, -inf, inf],
    [-0, 3, -0], [-0, 2, 0], [-0, 0.5, 0], [-0, inf, 0], [-0, -3, -inf], [-0, -2, inf], [-0, -0.5, inf], [-0, -inf, inf],
    [0.5, inf, 0], [-0.5, inf, 0], [0.5, -inf, inf], [-0.5, -inf, inf], [2, inf, inf], [-2, inf, inf], [2, -inf, 0], [-2, -inf, 0],
    [inf, 2, inf], [inf, 0.5, inf], [inf, -2, 0], [inf, inf, inf], [inf, -inf, 0],
    [-inf, 3, -inf], [-inf, 2, inf], [-inf, 0.5, inf], [-inf, -3, -0], [-inf, -2, 0], [-inf, -0.5, 0], [-inf, inf, inf], [-inf, -inf, 0],
    [-1, 16777215, -1], [-1, 16777216, 1], [-2, 1e30, inf], [-1.5, -1e30, 0], [-3, 1001, -inf], [-3, -1001, -0],
    [-2, 3, -8], [-2, -3, -0.125], [3, 4, 81], [10, 2, 100], [2, 127, 2 ** 127], [2, -149, 2 ** -149],
  ],
  rsqrt: [[0, inf], [-0, -inf], [inf, 0], [-inf, nan], [nan, nan], [-1, nan], [2 ** -126, 2 ** 63], [2 ** -148, 2 ** 74]],
  sigmoid: [[0, 0.5], [-0, 0.5], [inf, 1], [-inf, 0], [nan, nan], [1e30, 1], [-1e30, 0], [50, 1]],
  sin: [[0, 0], [-0, -0], [inf, nan], [-inf, nan], [nan, nan]],
  sqrt: [[0, 0], [-0, -0], [inf, inf], [-inf, nan], [nan, nan], [-1, nan], [4, 2], [2 ** -148, 2 ** -74]],
  tan: [[0, 0], [-0, -0], [inf, nan], [-inf, nan], [nan, nan]],
  tanh: [[0, 0], [-0, -0], [inf, 1], [-inf, -1], [nan, nan], [1e30, 1], [-50, -1]],
};
