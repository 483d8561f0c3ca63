/** Tables that translate names, and what of them tf does not have. */

/** A name of tf as a table writes it: `jit(f, { engine })` is `jit`, `runtime.grad(y, x)` is `grad` of `runtime`. */
export interface TableName {
  readonly line: number;
  readonly owner: string | undefined;
  readonly name: string;
}

/** The names in the column headed `tf` of a page's tables. */
export function tableNames(markdown: string): readonly TableName[] {
  let column = -1;
  return markdown.split('\n').flatMap((text, at) => {
    if (!text.startsWith('|')) {
      column = -1;
      return [];
    }
    const cells = text.split('|').map((cell) => cell.trim());
    if (column === -1) {
      column = cells.indexOf('tf');
      return [];
    }
    return [...(cells[column] ?? '').matchAll(/`([^`]+)`/g)].map(({ 1: code = '' }): TableName => {
      const [, owner, name = code] = /^(?:(\w+)\.)?(\w+)/.exec(code) ?? [];
      return { line: at + 1, owner, name };
    });
  });
}
