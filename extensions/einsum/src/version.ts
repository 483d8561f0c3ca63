/** The version in package.json (a test compares them). */
export const einsumVersion = '1.0.0';
