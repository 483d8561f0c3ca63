/** More than any machine has, and so little that byte counts are whole doubles. */
export const addressLimit: { readonly engine: string; readonly maximumBytes: number } = Object.freeze({ engine: 'cpu-blas-native', maximumBytes: 2 ** 44 });
