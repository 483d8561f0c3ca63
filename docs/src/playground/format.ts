/** Values as `console.log` shows them here: tensors as NumPy prints arrays, the rest as Node does. */
const mostEntries = 100;
const mostDepth = 4;
const lineWidth = 80;
/** Characters of one print: more of them would help nobody, and may hold up the page that shows them. */
export const mostCharacters = 20_000;

/** What is being shown: the objects that contain it, and how many characters may still be made of all. */
interface Course {
  readonly inside: readonly object[];
  readonly budget: { left: number };
}

const newCourse = (): Course => ({ inside: [], budget: { left: mostCharacters } });

/** One print: strings as they are, `%s %d %i %f %j %o %O %%` in the first one filled in. */
export function formatAll(values: readonly unknown[]): string {
  const course = newCourse();
  const [first, ...rest] = values;
  const words = typeof first === 'string' && rest.length > 0 ? filled(first, rest, course) : values;
  return cut(words.map((value) => (typeof value === 'string' ? value : show(value, course))).join(' '), course);
}

export function formatValue(value: unknown): string {
  const course = newCourse();
  return cut(show(value, course), course);
}

/** A text that is not too long, with a note of what it lacks. */
function cut(text: string, { budget }: Course): string {
  const most = mostCharacters.toLocaleString('en');
  if (budget.left <= 0 && text.length > 0) return `${text.slice(0, mostCharacters)}\n… The rest is not shown: one print has at most ${most} characters.`;
  if (text.length <= mostCharacters) return text;
  const kept = text.slice(0, mostCharacters).replace(/[\ud800-\udbff]$/, '');
  return `${kept}\n… ${(text.length - kept.length).toLocaleString('en')} characters more are not shown: one print has at most ${most}.`;
}

function filled(pattern: string, values: readonly unknown[], course: Course): readonly unknown[] {
  const rest = [...values];
  const text = pattern.replaceAll(/%([sdifjoOc%])/g, (whole, kind: string) => {
    if (kind === '%') return '%';
    if (rest.length === 0) return whole;
    const value = rest.shift();
    // Styles of a browser's console.
    if (kind === 'c') return '';
    if (kind === 's') return typeof value === 'string' ? value : show(value, course);
    if (kind === 'j') return JSON.stringify(value) ?? 'undefined';
    if (kind === 'd' || kind === 'i' || kind === 'f') return typeof value === 'bigint' ? `${value}n` : String(kind === 'd' ? Number(value) : kind === 'i' ? Number.parseInt(String(value), 10) : Number.parseFloat(String(value)));
    return show(value, course);
  });
  return [text, ...rest];
}

function show(value: unknown, course: Course): string {
  if (course.budget.left <= 0) return '…';
  if (typeof value === 'object' && value !== null) return showObject(value, course);
  const text = showSimple(value);
  // With what stands between it and the next one.
  course.budget.left -= text.length + 2;
  return text;
}

function showSimple(value: unknown): string {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
  if (typeof value === 'bigint') return `${value}n`;
  if (Object.is(value, -0)) return '-0';
  if (typeof value !== 'function') return String(value);
  return `[${/^class\b/.test(Function.prototype.toString.call(value)) ? 'class' : 'Function:'} ${value.name || '(anonymous)'}]`;
}

function showObject(value: object, course: Course): string {
  if (course.inside.includes(value)) return '[Circular]';
  const simple = showKnown(value);
  if (simple !== undefined) {
    course.budget.left -= simple.length + 2;
    return simple;
  }
  const own = Reflect.get(value, Symbol.for('nodejs.util.inspect.custom')) as unknown;
  if (typeof own === 'function') return String(own.call(value));
  if (course.inside.length >= mostDepth) return Array.isArray(value) ? '[Array]' : value instanceof Error ? nameOf(value) : '[Object]';
  const inner: Course = { ...course, inside: [...course.inside, value] };
  return value instanceof Error ? showError(value, inner) : showCollection(value, inner);
}

/** Objects that a short text says all of. */
function showKnown(value: object): string | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (value instanceof RegExp) return String(value);
  if (value instanceof Number || value instanceof Boolean || value instanceof String) return `[${value.constructor.name}: ${showSimple(value.valueOf())}]`;
  if (value instanceof ArrayBuffer) return `ArrayBuffer { ${value.byteLength} bytes }`;
  if (value instanceof DataView) return `DataView { ${value.byteLength} bytes }`;
  if (value instanceof Promise) return 'Promise { await shows what it holds }';
  if (value instanceof WeakMap || value instanceof WeakSet) return `${value.constructor.name} { … }`;
  return value instanceof URL ? value.href : undefined;
}

function nameOf({ name, message }: Error): string {
  return message === '' ? name : `${name}: ${message}`;
}

/** What happened, and below it why. */
function showError(error: Error, course: Course): string {
  const below: string[] = [];
  if ('cause' in error && error.cause !== undefined) below.push(`[cause]: ${show(error.cause, course)}`);
  if (error instanceof AggregateError) below.push(...error.errors.slice(0, mostEntries).map((one, at) => `[errors ${at}]: ${show(one, course)}`));
  return [nameOf(error), ...below.map((text) => `  ${text.replaceAll('\n', '\n  ')}`)].join('\n');
}

function showCollection(value: object, course: Course): string {
  const inner = (item: unknown): string => show(item, course);
  const some = <T>(items: Iterable<T>, text: (item: T) => string): readonly string[] => {
    const shown: string[] = [];
    for (const item of items) {
      if (shown.length >= mostEntries || course.budget.left <= 0) break;
      shown.push(text(item));
    }
    return shown;
  };
  if (Array.isArray(value)) return bracketed('[', some(value as readonly unknown[], inner), value.length, ']');
  if (ArrayBuffer.isView(value)) return bracketed(`${value.constructor.name}(${(value as Uint8Array).length}) [`, some(value as Uint8Array, inner), (value as Uint8Array).length, ']');
  if (value instanceof Map) return bracketed(`Map(${value.size}) {`, some(value as ReadonlyMap<unknown, unknown>, ([key, item]) => `${inner(key)} => ${inner(item)}`), value.size, '}');
  if (value instanceof Set) return bracketed(`Set(${value.size}) {`, some(value as ReadonlySet<unknown>, inner), value.size, '}');
  const name = Object.getPrototypeOf(value) === null ? '[Object: null prototype]' : value.constructor?.name ?? '';
  const keys = Reflect.ownKeys(value).filter((key) => Object.prototype.propertyIsEnumerable.call(value, key));
  const keyText = (key: string | symbol): string => (typeof key === 'symbol' ? `[${String(key)}]` : /^[A-Za-z_$][\w$]*$/.test(key) ? key : showSimple(key));
  return bracketed(`${name === '' || name === 'Object' ? '' : `${name} `}{`, some(keys, (key) => `${keyText(key)}: ${propertyText(value, key, inner)}`), keys.length, '}');
}

/** A getter is not run: it may do anything. */
function propertyText(value: object, key: string | symbol, inner: (item: unknown) => string): string {
  const { get, value: item } = Object.getOwnPropertyDescriptor(value, key) ?? {};
  return get === undefined ? inner(item) : '[Getter]';
}

/** In one line where that fits; else short items side by side, as many as a line holds, and others one below the other. */
function bracketed(open: string, items: readonly string[], count: number, close: string): string {
  if (count === 0) return open + close;
  const more = count > items.length ? [`… ${(count - items.length).toLocaleString('en')} more`] : [];
  const line = `${open} ${[...items, ...more].join(', ')} ${close}`;
  if (line.length <= lineWidth && !line.includes('\n')) return line;
  const isShort = items.length > 6 && items.every((item) => item.length <= 24 && !item.includes('\n'));
  const rows = isShort ? rowsOf(items) : items;
  return `${open}\n${[...rows, ...more].map((row) => `  ${row.replaceAll('\n', '\n  ')}`).join(',\n')}\n${close}`;
}

/** Short items in columns; numbers stand right, so that their digits are below one another. */
function rowsOf(items: readonly string[]): readonly string[] {
  const isNumber = items.every((item) => /^(?:-?[\d.e+-]+n?|-?Infinity|NaN|null|undefined|…)$/.test(item));
  const widest = Math.max(...items.map(({ length }) => length));
  const columns = Math.max(1, Math.min(16, Math.floor((lineWidth - 2) / (widest + 2))));
  const rows: string[] = [];
  for (let at = 0; at < items.length; at += columns) {
    const row = items.slice(at, at + columns);
    rows.push(row.map((item, column) => (isNumber ? item.padStart(widest) : column === row.length - 1 ? item : `${item},`.padEnd(widest + 1))).join(isNumber ? ', ' : ' '));
  }
  return rows;
}
