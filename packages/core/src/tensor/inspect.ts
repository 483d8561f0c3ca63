/** Lets `console.log` of Node and Deno show tensors as their text. Isolated declarations take no computed names in exported classes. */
export function shownAsText(prototype: object): void {
  Object.defineProperty(prototype, Symbol.for('nodejs.util.inspect.custom'), {
    value(this: object): string {
      return String(this);
    },
  });
}
