/**
 * Shortcuts of the loop language: selects whose first branch is right everywhere, the second one quicker where the condition fails. A
 * vector loop looks at the conditions of all elements of a pass, and takes the quick way where none holds.
 */
import { loop, type ScalarExpr } from '@tf/core';

/** Nodes that the conditions may take: they are computed before all else, and what they share with it once more. */
const CONDITION_NODES = 16;

export interface Ways {
  /** Right for all elements. */
  readonly always: readonly ScalarExpr[];
  /** The same where no condition holds. */
  readonly quick?: { readonly body: readonly ScalarExpr[]; readonly conditions: readonly ScalarExpr[] };
}

type Select = Extract<ScalarExpr, { readonly op: 'select' }>;

/** A condition that depends on another shortcut is that of its quick way: where that one is wrong, another condition holds. */
export function waysOf(body: readonly ScalarExpr[]): Ways {
  const expanded = loop.expandAllCalls(body);
  const isShortcut = (node: ScalarExpr): node is Select => node.op === 'select' && node.shortcut === true;
  const always = loop.rewriteNodes(expanded, (node) => (isShortcut(node) ? node.args[1] : node));
  const conditions = new Set<ScalarExpr>();
  const quick = loop.rewriteNodes(expanded, (node) => {
    if (!isShortcut(node)) return node;
    conditions.add(node.args[0]);
    return node.args[2];
  });
  const isCheap = loop.nodesInOrder([...conditions]).length <= CONDITION_NODES;
  return conditions.size === 0 || !isCheap ? { always } : { always, quick: { body: quick, conditions: [...conditions] } };
}
