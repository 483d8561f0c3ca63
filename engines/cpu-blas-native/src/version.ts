/** Of this package. */
export const engineVersion: string = '0.0.0';
