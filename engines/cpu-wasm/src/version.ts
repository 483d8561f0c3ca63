/** The version in package.json (a test compares them). */
export const engineVersion = '1.0.0';
