/** Factors of square matrices by plain loops, with the signs that LAPACK gives them: what cotangents of known gradients are made of. */

/** Lower L with A = L·Lᵀ. */
export function choleskyFactor(a: Float64Array, n: number): Float64Array {
  const l = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = a[i * n + j] as number;
      for (let k = 0; k < j; k++) sum -= l[i * n + k]! * l[j * n + k]!;
      l[i * n + j] = i === j ? Math.sqrt(sum) : sum / l[j * n + j]!;
    }
  }
  return l;
}

/** Q and R by reflections: the diagonal of R has the sign opposite to that of what was there, but for the last element, which stays. */
export function qrFactors(a: Float64Array, n: number): { readonly q: Float64Array; readonly r: Float64Array } {
  const r = a.slice();
  const q = Float64Array.from({ length: n * n }, (_, at) => (at % (n + 1) === 0 ? 1 : 0));
  for (let k = 0; k < n - 1; k++) {
    const v = Float64Array.from({ length: n }, (_, i) => (i < k ? 0 : r[i * n + k]!));
    v[k]! += Math.sign(v[k]!) * Math.hypot(...v);
    const scale = 2 / v.reduce((sum, x) => sum + x * x, 0);
    // R := H·R and Q := Q·H
    for (let j = k; j < n; j++) {
      let sum = 0;
      for (let i = k; i < n; i++) sum += v[i]! * r[i * n + j]!;
      for (let i = k; i < n; i++) r[i * n + j]! -= scale * sum * v[i]!;
    }
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let j = k; j < n; j++) sum += q[i * n + j]! * v[j]!;
      for (let j = k; j < n; j++) q[i * n + j]! -= scale * sum * v[j]!;
    }
  }
  for (let i = 0; i < n; i++) r.fill(0, i * n, i * n + i);
  return { q, r };
}
