/**
 * Shortcuts of the loop language: selects whose first branch is right everywhere, the second one quicker where the condition fails. A
 * vector loop looks at the conditions of all elements of a pass, and takes the quick way where none holds.
 */
import { loop, type ScalarExpr } from '@tf/core';

/** Nodes that the conditions may take: they are computed before all else. */
const CONDITION_NODES = 16;

export interface Ways {
  /** Right for all elements. */
  readonly always: readonly ScalarExpr[];
  readonly quick?: QuickWay;
}

/** The same where no condition holds. */
export interface QuickWay {
  /** What conditions and body have in common: computed first, then argument `inputs` + i of both. */
  readonly shared: readonly ScalarExpr[];
  readonly body: readonly ScalarExpr[];
  readonly conditions: readonly Condition[];
}

/** Holds where `value` is true or, with a limit, where that 32-bit integer is greater. */
export interface Condition {
  readonly value: ScalarExpr;
  readonly limit?: number;
}

/** The operands of a loop, as far as they matter here. */
export interface Operands {
  /** How many there are. */
  readonly inputs: number;
  /** Whether an operand's element is the same throughout the loop. */
  readonly fixed: (input: number) => boolean;
}

type Select = Extract<ScalarExpr, { readonly op: 'select' }>;

/** A condition that depends on another shortcut is that of its quick way: where that one is wrong, another condition holds. */
export function waysOf(body: readonly ScalarExpr[], operands: Operands): Ways {
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
  return conditions.size === 0 || !isCheap ? { always } : { always, quick: quickWay(quick, [...conditions], operands) };
}

function quickWay(body: readonly ScalarExpr[], conditions: readonly ScalarExpr[], operands: Operands): QuickWay {
  const shared = sharedNodes(body, conditions, operands);
  const replacements = new Map(shared.map((node, i) => [node, loop.argument(node.type, operands.inputs + i)]));
  const replaced = (roots: readonly ScalarExpr[]): readonly ScalarExpr[] => {
    const originals = loop.nodesInOrder(roots).values();
    return loop.rewriteNodes(roots, (node) => replacements.get(originals.next().value!) ?? node);
  };
  return { shared, body: replaced(body), conditions: replaced(conditions).map(conditionOf) };
}

/** What both compute and one of them uses for something of its own. Operands are as quickly loaded again, and what does not vary is computed before. */
function sharedNodes(body: readonly ScalarExpr[], conditions: readonly ScalarExpr[], { fixed }: Operands): readonly ScalarExpr[] {
  const ordered = [body, conditions].map((roots) => loop.nodesInOrder(roots));
  const [inBody, inConditions] = ordered.map((nodes) => new Set(nodes)) as [Set<ScalarExpr>, Set<ScalarExpr>];
  const isCommon = (node: ScalarExpr): boolean => inBody.has(node) && inConditions.has(node);
  const used = new Set([...body, ...conditions, ...ordered.flat().filter((node) => !isCommon(node)).flatMap((node) => loop.operandsOf(node))]);
  const varies = (node: ScalarExpr): boolean => loop.nodesInOrder([node]).some((part) => part.op === 'argument' && !fixed(part.input));
  return ordered[1]!.filter((node) => node.op !== 'argument' && isCommon(node) && used.has(node) && varies(node));
}

/** c < n, n of 32 bits: of several n the greatest is compared. */
function conditionOf(value: ScalarExpr): Condition {
  if (value.op !== 'lt' || value.args[0].type !== 'i32') return { value };
  const [limit, tested] = value.args;
  if (loop.nodesInOrder([limit]).some(({ op }) => op === 'argument')) return { value };
  return { value: tested, limit: Number(loop.evaluateScalar(limit, () => 0)) };
}
