/** Values as `console.log` shows them here: tensors as NumPy prints arrays, the rest as Node does. */
const mostEntries = 100;
const mostDepth = 4;

export function formatAll(values: readonly unknown[]): string {
  return values.map((value) => (typeof value === 'string' ? value : formatValue(value))).join(' ');
}

export function formatValue(value: unknown, depth = 0): string {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
  if (typeof value === 'bigint') return `${value}n`;
  if (Object.is(value, -0)) return '-0';
  if (typeof value === 'function') return `[Function: ${value.name || '(anonymous)'}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  const own = Reflect.get(value, Symbol.for('nodejs.util.inspect.custom')) as unknown;
  if (typeof own === 'function') return String(own.call(value));
  if (depth >= mostDepth) return Array.isArray(value) ? '[Array]' : '[Object]';
  return formatCollection(value, depth);
}

function formatCollection(value: object, depth: number): string {
  const inner = (item: unknown): string => formatValue(item, depth + 1);
  if (Array.isArray(value)) return bracketed('[', value.map(inner), ']');
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) return bracketed(`${value.constructor.name}(${(value as Uint8Array).length}) [`, [...(value as Uint8Array)].map(inner), ']');
  if (value instanceof Map) return bracketed(`Map(${value.size}) {`, [...value].map(([key, item]) => `${inner(key)} => ${inner(item)}`), '}');
  if (value instanceof Set) return bracketed(`Set(${value.size}) {`, [...value].map(inner), '}');
  const name = value.constructor?.name ?? '';
  return bracketed(`${name === '' || name === 'Object' ? '' : `${name} `}{`, Object.entries(value).map(([key, item]) => `${key}: ${inner(item)}`), '}');
}

function bracketed(open: string, items: readonly string[], close: string): string {
  if (items.length === 0) return open + close;
  const shown = items.slice(0, mostEntries);
  if (items.length > mostEntries) shown.push(`… ${items.length - mostEntries} more`);
  const line = `${open} ${shown.join(', ')} ${close}`;
  if (line.length <= 80 && !line.includes('\n')) return line;
  return `${open}\n${shown.map((item) => `  ${item.replaceAll('\n', '\n  ')}`).join(',\n')}\n${close}`;
}
