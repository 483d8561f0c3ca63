/** Exported programs run by XLA from Node, in Python with JAX. */
export { hasJax, pythonOf } from './python.ts';
export { type RunnableModule, type XlaOptions, XlaSession, type XlaValue } from './session.ts';
