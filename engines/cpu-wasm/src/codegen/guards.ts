/**
 * Branches of selects that vectors seldom need. What only one branch of the selects with one condition uses, is computed where at
 * least one lane picks it: the reduction of huge angles costs nothing where all angles are small. The values stay what they are.
 */
import type { Graph, GraphNode } from './graph.ts';

export interface Guard {
  readonly condition: number;
  readonly branch: 'yes' | 'no';
  /** The nodes that the selects pick. */
  readonly picked: readonly number[];
  /** What the guarded nodes use and others too: to be computed before the branch. */
  readonly needs: readonly number[];
}

/** What a branch must cost to be worth a jump, which may be predicted wrongly. */
const THRESHOLD = 80;
/** What the other branch costs at least: an infinity or NaN beside an algorithm is no alternative to it, so nearly never picked. */
const ALTERNATIVE = 8;
/** A lookup goes lane by lane. */
const LOOKUP_COST = 5;
/** Beyond, looking for guards would take longer than linear time. */
const NODE_LIMIT = 1024;

/** The guard of each select that has one. */
export function guardsOf(graph: Graph, fixed: readonly boolean[]): ReadonlyMap<number, readonly Guard[]> {
  const result = new Map<number, Guard[]>();
  if (graph.nodes.length > NODE_LIMIT || LOOKUP_COST * graph.nodes.length < THRESHOLD) return result;
  for (const [condition, selects] of selectsByCondition(graph)) {
    const branches = (['yes', 'no'] as const).map((branch) => new Branch(graph, fixed, { condition, branch, selects: new Set(selects) }));
    branches.forEach((branch, i) => {
      const guard = branches[1 - i]!.cost < ALTERNATIVE ? undefined : branch.guard();
      if (guard !== undefined) for (const select of selects) result.set(select, [...(result.get(select) ?? []), guard]);
    });
  }
  return result;
}

function selectsByCondition({ nodes }: Graph): ReadonlyMap<number, readonly number[]> {
  const result = new Map<number, number[]>();
  nodes.forEach(({ expr, operands }, number) => {
    if (expr.op === 'select' && nodes[operands[0]!]!.expr.op !== 'constant') result.set(operands[0]!, [...(result.get(operands[0]!) ?? []), number]);
  });
  return result;
}

interface BranchOf {
  readonly condition: number;
  readonly branch: 'yes' | 'no';
  /** All selects with the condition. */
  readonly selects: ReadonlySet<number>;
}

class Branch {
  readonly #nodes: readonly GraphNode[];
  readonly #roots: readonly number[];
  readonly #fixed: readonly boolean[];
  readonly #of: BranchOf;
  /** Which operand of the selects it is. */
  readonly #at: 1 | 2;
  /** Per node: 1 if only the branch uses it. */
  readonly #members: Uint8Array;
  readonly cost: number;

  constructor({ nodes, roots }: Graph, fixed: readonly boolean[], of: BranchOf) {
    this.#nodes = nodes;
    this.#roots = roots;
    this.#fixed = fixed;
    this.#of = of;
    this.#at = of.branch === 'yes' ? 1 : 2;
    this.#members = this.#findMembers();
    this.cost = this.#nodes.reduce((sum, { expr }, number) => (this.#members[number] === 0 ? sum : sum + (expr.op === 'lookup' ? LOOKUP_COST : 1)), 0);
  }

  guard(): Guard | undefined {
    if (this.cost < THRESHOLD) return undefined;
    const { condition, branch, selects } = this.#of;
    const isMember = (number: number): boolean => this.#members[number] === 1;
    const used = new Set(this.#nodes.flatMap(({ operands }, number) => (isMember(number) ? operands : [])));
    const needs = [...used].filter((number) => !isMember(number) && this.#nodes[number]!.expr.op !== 'constant').sort((a, b) => a - b);
    // What is needed before the branch must not wait for one of its selects.
    const waiting = this.#dependants();
    if ([...needs, condition].some((number) => waiting[number]!)) return undefined;
    const picked = [...new Set([...selects].map((select) => this.#nodes[select]!.operands[this.#at]!))].filter(isMember);
    return { condition, branch, picked, needs };
  }

  /** What only the branch uses. Users come after operands, so a walk from the end sees every user of a node before the node. */
  #findMembers(): Uint8Array {
    const members = new Uint8Array(this.#nodes.length);
    const usedElsewhere = new Uint8Array(this.#nodes.length);
    for (const root of this.#roots) usedElsewhere[root] = 1;
    for (let number = this.#nodes.length - 1; number >= 0; number--) {
      const { expr, operands } = this.#nodes[number]!;
      if (usedElsewhere[number] === 1 || this.#fixed[number]! || expr.op === 'constant') members[number] = 0;
      const isMember = members[number] === 1;
      const isSelect = expr.op === 'select' && this.#of.selects.has(number);
      for (let position = 0; position < operands.length; position++) {
        if (isMember || (isSelect && position === this.#at)) members[operands[position]!] = 1;
        else usedElsewhere[operands[position]!] = 1;
      }
    }
    return members;
  }

  /** The selects and what depends on them. */
  #dependants(): readonly boolean[] {
    const result: boolean[] = [];
    this.#nodes.forEach(({ operands }, number) => result.push(this.#of.selects.has(number) || operands.some((operand) => result[operand]!)));
    return result;
  }
}
