/* Sums over the poles of a secular equation (Li 1993), which LAPACK's laed4 and lasd4 take in an order that C has to keep. */

/*
 * Adds Σ z²/δ to *value, Σ (z/δ)² to *slope and, to *error, all partial sums of the first, up or down: from `first` to `last` (from 1),
 * δ being `delta` or its product with `work`.
 */
int R_(poles)(integer first, integer last, int is_up, R *z, R *delta, R *work, R *value, R *slope, R *error) {
  const int n = last - first + 1;
  const R *over = delta + first - 1, *with = work == 0 ? 0 : work + first - 1, *weight = z + first - 1;
  // In how many partial sums a term is.
  const R change = is_up ? -1 : 1;
  R count = is_up ? n : 1;
  V values = {}, slopes = {}, errors = {}, counts = SPLAT(count);
  UNROLL for (int i = 1; i < LANES; i++) counts[i] += change * i;
  int i = 0;
  for (; i + LANES <= n; i += LANES) {
    const V z_here = load(weight + i), ratio = z_here / (with == 0 ? load(over + i) : load(with + i) * load(over + i)), term = z_here * ratio;
    values += term;
    slopes += ratio * ratio;
    errors += counts * term;
    counts += SPLAT(LANES * change);
  }
  count = counts[0];
  for (; i < n; i++, count += change) {
    const R ratio = weight[i] / (with == 0 ? over[i] : with[i] * over[i]), term = weight[i] * ratio;
    values[0] += term;
    slopes[0] += ratio * ratio;
    errors[0] += count * term;
  }
  *value += total(values), *slope += total(slopes), *error += total(errors);
  return 0;
}
