/** `npm create @tf/extension`: copies the template of a family under the author's own names. */
export { createExtension, type CreatedExtension, type ExtensionNames, extensionNames } from './create-extension.ts';
export { main, type Printer } from './main.ts';
