/** Of this package. */
export const engineVersion = '0.0.0';
