/** The version in package.json (a test compares them). */
export const engineVersion: string = '0.0.0';
