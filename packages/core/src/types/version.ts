/** The contract that this copy of core speaks; values of another contract are refused by name. */
export const contractVersion = 1;
/** The version in package.json (a test compares them). */
export const coreVersion: string = '0.0.0';
