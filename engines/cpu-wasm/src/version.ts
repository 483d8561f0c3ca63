/** The version in package.json (a test compares them). */
export const engineVersion = '0.0.0';
