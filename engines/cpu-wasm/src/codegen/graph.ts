/** A kernel's expressions as a numbered graph: equal subexpressions are one node, operands come before users. */
import { loop, type ScalarExpr } from '@tf/core';

export interface GraphNode {
  readonly expr: ScalarExpr;
  readonly operands: readonly number[];
  /** How often it is an operand or a root. */
  uses: number;
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly roots: readonly number[];
}

/** Iterative, so that chains of any length do; linear in the number of distinct nodes. */
export function buildGraph(body: readonly ScalarExpr[]): Graph {
  const builder = new GraphBuilder();
  const roots = loop.expandAllCalls(body).map((root) => builder.add(root));
  for (const root of roots) builder.nodes[root]!.uses++;
  return { nodes: builder.nodes, roots };
}

class GraphBuilder {
  readonly nodes: GraphNode[] = [];
  readonly #numbers = new Map<ScalarExpr, number>();
  readonly #byText = new Map<string, number>();

  add(root: ScalarExpr): number {
    const stack = [{ expr: root, next: 0 }];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const operand = this.#numbers.has(top.expr) ? undefined : loop.operandsOf(top.expr)[top.next++];
      if (operand === undefined) {
        stack.pop();
        if (!this.#numbers.has(top.expr)) this.#number(top.expr);
      } else if (!this.#numbers.has(operand)) {
        stack.push({ expr: operand, next: 0 });
      }
    }
    return this.#numbers.get(root)!;
  }

  #number(expr: ScalarExpr): void {
    const operands = loop.operandsOf(expr).map((operand) => this.#numbers.get(operand)!);
    const text = nodeKey(expr, operands);
    let number = this.#byText.get(text);
    if (number === undefined) {
      number = this.nodes.length;
      this.nodes.push({ expr, operands, uses: 0 });
      this.#byText.set(text, number);
      for (const operand of operands) this.nodes[operand]!.uses++;
    }
    this.#numbers.set(expr, number);
  }
}

function nodeKey(expr: ScalarExpr, operands: readonly number[]): string {
  if (expr.op === 'argument') return `argument ${expr.input} ${expr.lane}`;
  if (expr.op === 'constant') return `constant ${expr.type} ${valueText(expr.value)}`;
  if (expr.op === 'lookup') return `lookup ${expr.type} ${operands.join()} of ${expr.table.map(valueText).join()}`;
  return `${expr.op} ${expr.type} ${operands.join(' ')}`;
}

function valueText(value: number | bigint): string {
  return Object.is(value, -0) ? '-0' : String(value);
}
