/** Walks over expression graphs. A node is an object: sharing is identity. Iterative, so long chains are fine. */
import type { ScalarExpr } from '../types/loop-language.ts';
import { operandsOf } from './scalar.ts';

/** Every node that `roots` reach, once, operands before users; deterministic. */
export function nodesInOrder(roots: readonly ScalarExpr[]): readonly ScalarExpr[] {
  const order: ScalarExpr[] = [];
  const done = new Set<ScalarExpr>();
  const stack: { readonly node: ScalarExpr; next: number }[] = [];
  for (const root of roots) {
    if (!done.has(root)) stack.push({ node: root, next: 0 });
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const operand = operandsOf(top.node)[top.next++];
      if (operand === undefined) {
        stack.pop();
        if (!done.has(top.node)) order.push(top.node);
        done.add(top.node);
      } else if (!done.has(operand)) {
        stack.push({ node: operand, next: 0 });
      }
    }
  }
  return order;
}

/**
 * Rebuilds the graph bottom-up: `replace` gets each node with its operands already replaced and gives what stands for it.
 * Shared nodes stay shared; a node whose operands did not change is passed as it is.
 */
export function rewriteNodes(roots: readonly ScalarExpr[], replace: (node: ScalarExpr) => ScalarExpr): readonly ScalarExpr[] {
  const results = new Map<ScalarExpr, ScalarExpr>();
  for (const node of nodesInOrder(roots)) results.set(node, replace(withOperands(node, operandsOf(node).map((a) => results.get(a)!))));
  return roots.map((root) => results.get(root)!);
}

function withOperands(node: ScalarExpr, args: readonly ScalarExpr[]): ScalarExpr {
  if (operandsOf(node).every((operand, i) => operand === args[i])) return node;
  return { ...node, args } as ScalarExpr;
}
