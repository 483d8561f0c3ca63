/* The principal square root of upper triangular complex T, column by column (Björck & Hammarling 1983): x_ij = (t_ij − Σ x_ik·x_kj)/(x_ii + x_jj). */
#if COMPLEX
EXPORT(triangularSqrt) {
  int b = args[4], n = args[5];
  for (int i = 0; i < b; i++) {
    const T *t = AT(T, 0) + i * n * n;
    T *x = AT(T, 1) + i * n * n;
    if (!is_triangle_finite(t, n, 1)) {
      fill_nan(x, n * n * WORDS);
      continue;
    }
    fill_zero(x, n * n * WORDS);
    for (int r = n - 1; r >= 0; r--) {
      T *own = x + r * n;
      JOIN(root_of_, PRECISION)(own + r, (T *)t + r * (n + 1));
      for (int j = r + 1; j < n; j++) own[j] = t[r * n + j];
      // Row r: what the elements to the left of x_rj give is taken off all that follow.
      for (int j = r + 1; j < n; j++) {
        const T below = {own[r].r + x[j * (n + 1)].r, own[r].i + x[j * (n + 1)].i};
        if (!is_zero(own[j])) own[j] = quotient(own[j], below);
        subtract_scaled(n - j - 1, own[j], x + j * n + j + 1, own + j + 1);
      }
    }
  }
  return 0;
}
#endif

/* A copy; fails where two neighbours differ by less than `ulps` of the largest, or, with `both`, where the last is so small itself. */
EXPORT(distinct) {
  const int b = args[4], k = args[5], ulps = args[6], both = args[7];
  int failed = 0;
  for (int i = 0; i < b; i++) {
    const R *s = AT(R, 0) + i * k;
    R *to = AT(R, 1) + i * k;
    R largest = 0;
    int close = 0;
    for (int j = 0; j < k; j++) {
      to[j] = s[j];
      if (FABS(s[j]) > largest) largest = FABS(s[j]);
    }
    const R least_gap = ulps * EPS2 * largest;
    for (int j = 0; j + 1 < k; j++) if (FABS(s[j + 1] - s[j]) <= least_gap) close = 1;
    if (both) for (int j = 0; j < k; j++) if (FABS(s[j]) <= least_gap) close = 1;
    if (close && failed == 0) failed = i + 1;
  }
  return failed;
}
