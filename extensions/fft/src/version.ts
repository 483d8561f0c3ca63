/** The version in package.json (a test compares them). */
export const fftVersion: string = '0.0.0';
