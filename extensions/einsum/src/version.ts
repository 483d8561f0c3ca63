/** The version in package.json (a test compares them). */
export const einsumVersion: string = '0.0.0';
