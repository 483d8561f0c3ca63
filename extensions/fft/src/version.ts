/** The version in package.json (a test compares them). */
export const fftVersion = '1.0.0';
