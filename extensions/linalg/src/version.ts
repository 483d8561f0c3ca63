/** The version in package.json (a test compares them). */
export const linalgVersion: string = '0.0.0';
