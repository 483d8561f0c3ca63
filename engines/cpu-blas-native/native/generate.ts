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
  const { always, quick } = waysOf(body);
  const tables = new Tables(`${name}_${type}`);
  const general = loopText(always, type, tables);
  const loops = quick === undefined ? general : quickText(quick, type, tables, general);
  const operands = ['a', 'b'].slice(0, arity).map((operand) => `  const ${type} *${operand} = ${operand}_;`);
  const signature = `void TF_BLOCK(${name}_${type})(void *out_, const void *a_, const void *b_, const void *c_, i64 n)`;
  return [...tables.lines, `${signature};`, `${signature} {`, ...operands, `  ${type} *out = out_;`, `  (void)${arity === 1 ? 'b_, (void)' : ''}c_;`, ...loops, '}', ''];
}

// ---------------------------------------------------------------- shortcuts

interface Ways {
  /** Right for all elements. */
  readonly always: ScalarExpr;
  /** The same where the condition fails. */
  readonly quick?: { readonly body: ScalarExpr; readonly conditions: readonly ScalarExpr[] };
}

/** Nodes that the conditions may take: they are computed once more. */
const CONDITION_NODES = 16;

/** As the loop language says, a shortcut's first branch is right everywhere, and the second one where its condition fails. */
function waysOf(body: ScalarExpr): Ways {
  const rewrite = (replace: (node: Extract<ScalarExpr, { readonly op: 'select' }>) => ScalarExpr): ScalarExpr =>
    loop.rewriteNodes([body], (node) => (node.op === 'select' && node.shortcut === true ? replace(node) : node))[0]!;
  const always = rewrite((node) => node.args[1]);
  const conditions = new Set<ScalarExpr>();
  const quick = rewrite((node) => {
    conditions.add(node.args[0]);
    return node.args[2];
  });
  const isCheap = loop.nodesInOrder([...conditions]).length <= CONDITION_NODES;
  return conditions.size === 0 || !isCheap ? { always } : { always, quick: { body: quick, conditions: [...conditions] } };
}

/** Looks at the conditions of all elements first, and takes the general way where one holds. */
function quickText({ body, conditions }: NonNullable<Ways['quick']>, type: FloatType, tables: Tables, general: readonly string[]): readonly string[] {
  const nodes = new Nodes(conditions, tables);
  const any = nodes.roots.join(' | ');
  return [
    '  i32 extreme = 0;',
    ...elementLoop([...nodes.lines, `extreme |= ${any};`]),
    '  if (extreme) {',
    ...general,
    '  } else {',
    ...loopText(body, type, tables),
    '  }',
  ];
}

function loopText(body: ScalarExpr, _type: FloatType, tables: Tables): readonly string[] {
  const nodes = new Nodes([body], tables);
  return elementLoop([...nodes.lines, `out[i] = ${nodes.roots[0]!};`]);
}

function elementLoop(lines: readonly string[]): readonly string[] {
  return ['  TF_VECTORS for (i64 i = 0; i < n; i++) {', ...lines.map((line) => `    ${line}`), '  }'];
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

  constructor(roots: readonly ScalarExpr[], tables: Tables) {
    this.#tables = tables;
    const names = new Map<ScalarExpr, string>();
    const nameOfText = new Map<string, string>();
    for (const node of loop.nodesInOrder(roots)) {
      const text = this.#text(node, loop.operandsOf(node).map((operand) => names.get(operand)!));
      let name = node.op === 'constant' ? text : nameOfText.get(text);
      if (name === undefined) {
        name = `v${this.lines.length}`;
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
        return `${['a', 'b'][node.input]!}[i]`;
      case 'constant':
        return constantText(node.type, node.value);
      case 'lookup':
        return `${this.#tables.name(node.type, node.table)}[table_index(${list}, ${node.table.length})]`;
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
