/**
 * Writes the functions of core's loop language as C: for each function and type one loop over a block, with the operations of
 * isa/scalar.h. A build tool: native/build.mjs runs it on the sources.
 */
import { loop, type ScalarExpr, type ScalarType } from '@tf/core';

type FloatType = 'f32' | 'f64';

/** The text of each file to be compiled, by its name. */
export function generate(): { readonly [file: string]: string } {
  const names = Object.keys(loop.functions).sort();
  const types: readonly FloatType[] = ['f32', 'f64'];
  const sources = types.flatMap((type) => partsOf(names, PARTS).map((part, i) => [`functions_${type}_${i}.c`, sourceOf(part, type)] as const));
  return { 'functions.def': listOf(names, types), ...Object.fromEntries(sources) };
}

/** Files per type, so that several compilers share the work. */
const PARTS = 2;

function partsOf(names: readonly string[], count: number): readonly (readonly string[])[] {
  return Array.from({ length: count }, (_, part) => names.filter((_name, i) => i % count === part));
}

function listOf(names: readonly string[], types: readonly FloatType[]): string {
  const lines = types.flatMap((type) => names.map((name) => `FUNCTION${loop.functions[name]!.arity}(${name}, ${type})`));
  return [...lines, '#undef FUNCTION1', '#undef FUNCTION2', ''].join('\n');
}

function sourceOf(names: readonly string[], type: FloatType): string {
  return ['#include "operations.h"', '#include "scalar.h"', '', ...names.flatMap((name) => functionText(name, type))].join('\n');
}

function functionText(name: string, type: FloatType): readonly string[] {
  const { arity } = loop.functions[name]!;
  const body = loop.expandCalls(loop.call(name, type, ...Array.from({ length: arity }, (_, i) => loop.argument(type, i))));
  const { always, quick } = waysOf(name, body);
  const tables = new Tables(`${name}_${type}`);
  const loops = quick === undefined ? pairedText(always, tables) : quickText(quick, tables, loopText(always, tables));
  const operands = ['a', 'b'].slice(0, arity).map((operand) => `  const ${type} *${operand} = ${operand}_;`);
  const signature = `void TF_BLOCK(${name}_${type})(void *out_, const void *a_, const void *b_, const void *c_, i64 n)`;
  return [...tables.lines, `${signature};`, `${signature} {`, ...operands, `  ${type} *out = out_;`, `  (void)${arity === 1 ? 'b_, (void)' : ''}c_;`, ...loops, '}', ''];
}

// ---------------------------------------------------------------- shortcuts

interface Ways {
  /** Right for all elements. */
  readonly always: ScalarExpr;
  /** The same where no condition holds. */
  readonly quick?: { readonly body: ScalarExpr; readonly conditions: readonly ScalarExpr[] };
}

type Select = Extract<ScalarExpr, { readonly op: 'select' }>;

/**
 * Selects go where their condition is known: those of shortcuts, where it fails, and those whose condition is the same for all usual
 * arguments, as for instance that an angle is not huge, if the branch that is never taken is long. A condition that depends on such a select is
 * that of its quick way: where that one is wrong, another condition holds.
 */
function waysOf(name: string, body: ScalarExpr): Ways {
  const always = loop.rewriteNodes([body], (node) => (isShortcut(node) ? node.args[1] : node))[0]!;
  const conditions = new Set<ScalarExpr>();
  let quick = loop.rewriteNodes([body], (node) => {
    if (!isShortcut(node)) return node;
    conditions.add(node.args[0]);
    return node.args[2];
  })[0]!;
  for (let rare = rareWay(name, quick); rare !== undefined; rare = rareWay(name, quick)) {
    conditions.add(rare.isUsual ? loop.not(rare.condition) : rare.condition);
    quick = withBranches(quick, rare.condition, rare.isUsual);
  }
  return conditions.size === 0 ? { always } : { always, quick: { body: quick, conditions: [...conditions] } };
}

function isShortcut(node: ScalarExpr): node is Select {
  return node.op === 'select' && node.shortcut === true;
}

/** The body where the condition is as given. */
function withBranches(body: ScalarExpr, condition: ScalarExpr, value: boolean): ScalarExpr {
  return loop.rewriteNodes([body], (node) => (node.op === 'select' && node.args[0] === condition ? node.args[value ? 1 : 2] : node))[0]!;
}

/** Nodes that must be saved, and how many times those of the condition. */
const LONG = 20;
const TIMES = 1.5;

/** Of the conditions of selects that are the same for all usual arguments, the one that saves most; `isUsual`: what it is. */
function rareWay(name: string, body: ScalarExpr): { readonly condition: ScalarExpr; readonly isUsual: boolean } | undefined {
  const nodes = loop.nodesInOrder([body]);
  const conditions = [...new Set(nodes.flatMap((node) => (node.op === 'select' ? [node.args[0]] : [])))];
  const values = usualArguments(name).map((args) => loop.evaluateScalars(conditions, (input) => args[input]!));
  const rare = conditions.flatMap((condition, i) => {
    const isUsual = values[0]![i] === true;
    if (values.some((row) => row[i] !== isUsual)) return [];
    const saved = nodes.length - loop.nodesInOrder([withBranches(body, condition, isUsual)]).length;
    return saved < LONG || saved < TIMES * loop.nodesInOrder([condition]).length ? [] : [{ condition, isUsual, saved }];
  });
  return rare.sort((a, b) => b.saved - a.saved)[0];
}

/** Functions that are seldom asked for negative arguments. */
const positive = ['digamma', 'lgamma', 'log', 'log10', 'log2'];

/** Magnitudes around 1, of both signs and in all pairs. */
function usualArguments(name: string): readonly (readonly number[])[] {
  const magnitudes = Array.from({ length: 25 }, (_, i) => 0.05 * 1.27 ** i);
  const values = positive.includes(name) ? magnitudes : magnitudes.flatMap((x) => [x, -x]);
  return loop.functions[name]!.arity === 1 ? values.map((x) => [x]) : values.flatMap((x) => values.map((y) => [x, y]));
}

/** Looks at the conditions of all elements first, and takes the general way where one holds. */
function quickText({ body, conditions }: NonNullable<Ways['quick']>, tables: Tables, general: readonly string[]): readonly string[] {
  const nodes = new Nodes(conditions, tables);
  const any = nodes.roots.join(' | ');
  return [
    '  i32 extreme = 0;',
    ...elementLoop([...nodes.lines, `extreme |= ${any};`]),
    '  if (extreme) {',
    ...general,
    '  } else {',
    ...pairedText(body, tables),
    '  }',
  ];
}

function loopText(body: ScalarExpr, tables: Tables): readonly string[] {
  return elementLoop(elementLines(body, tables, 'v', 'i'));
}

/**
 * Two halves of the block side by side, each step of one beside the same step of the other: a vector's steps wait for each other, and what a processor looks ahead is
 * shorter than a long function.
 */
function pairedText(body: ScalarExpr, tables: Tables): readonly string[] {
  const second = elementLines(body, tables, 'w', 'i + half');
  const both = elementLines(body, tables, 'v', 'i').flatMap((line, at) => [line, second[at]!]);
  return ['  const i64 half = TF_HALF(n);', ...elementLoop(both, '0', 'half'), ...elementLoop(elementLines(body, tables, 'v', 'i'), '2 * half')];
}

function elementLines(body: ScalarExpr, tables: Tables, prefix: string, index: string): readonly string[] {
  const nodes = new Nodes([body], tables, prefix, index);
  return [...nodes.lines, `out[${index}] = ${nodes.roots[0]!};`];
}

function elementLoop(lines: readonly string[], begin: string = '0', end: string = 'n'): readonly string[] {
  return [`  TF_VECTORS for (i64 i = ${begin}; i < ${end}; i++) {`, ...lines.map((line) => `    ${line}`), '  }'];
}

// ---------------------------------------------------------------- nodes

/** Tables of one function, as static data before it. */
class Tables {
  readonly lines: string[] = [];
  readonly #names = new Map<string, string>();
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  name(type: ScalarType, table: readonly (number | bigint)[]): string {
    const values = table.map((value) => constantText(type, value)).join(', ');
    let name = this.#names.get(values);
    if (name === undefined) {
      name = `table_${this.#prefix}_${this.#names.size}`;
      this.#names.set(values, name);
      this.lines.push(`static const ${type} ${name}[] = {${values}};`);
    }
    return name;
  }
}

/** Expressions as declarations, one for each distinct node. */
class Nodes {
  readonly lines: string[] = [];
  readonly roots: readonly string[];
  readonly #tables: Tables;
  readonly #index: string;

  /** `prefix`: of the names; `index`: of the element. */
  constructor(roots: readonly ScalarExpr[], tables: Tables, prefix: string = 'v', index: string = 'i') {
    this.#tables = tables;
    this.#index = index;
    const names = new Map<ScalarExpr, string>();
    const nameOfText = new Map<string, string>();
    for (const node of loop.nodesInOrder(roots)) {
      const text = this.#text(node, loop.operandsOf(node).map((operand) => names.get(operand)!));
      let name = node.op === 'constant' ? text : nameOfText.get(text);
      if (name === undefined) {
        name = `${prefix}${this.lines.length}`;
        nameOfText.set(text, name);
        this.lines.push(`const ${node.type === 'bool' ? '_Bool' : node.type} ${name} = ${text};`);
      }
      names.set(node, name);
    }
    this.roots = roots.map((root) => names.get(root)!);
  }

  #text(node: ScalarExpr, operands: readonly string[]): string {
    const list = operands.join(', ');
    switch (node.op) {
      case 'argument':
        return `${['a', 'b'][node.input]!}[${this.#index}]`;
      case 'constant':
        return constantText(node.type, node.value);
      case 'lookup':
        return `${this.#tables.name(node.type, node.table)}[table_index_${node.type === 'f64' || node.type === 'i64' ? 'i64' : 'i32'}(${list}, ${node.table.length})]`;
      case 'call':
        throw new Error(`${node.name} was not expanded`);
      case 'select':
        return `select_${node.type}(${list})`;
      case 'convert':
      case 'bitcast':
        return `${node.op}_${node.args[0].type}_${node.type}(${list})`;
      default:
        return `${node.op}_${node.args[0].type}(${list})`;
    }
  }
}

/** Decimals that JavaScript reads as the number are read as it by C, too: also for f32, which the number is exactly. */
function constantText(type: ScalarType, value: number | bigint): string {
  if (type === 'bool') return String(value);
  if (type === 'i32') return value === -(2 ** 31) ? 'INT32_MIN' : String(value);
  if (type === 'i64') return value === -(2n ** 63n) ? 'INT64_MIN' : `INT64_C(${value})`;
  const suffix = type === 'f32' ? 'f' : '';
  const number = value as number;
  if (Number.isNaN(number)) return `__builtin_nan${suffix}("")`;
  if (!Number.isFinite(number)) return `${number < 0 ? '-' : ''}__builtin_inf${suffix}()`;
  const text = Object.is(number, -0) ? '-0' : String(number);
  return `${/[.e]/.test(text) ? text : `${text}.0`}${suffix}`;
}
