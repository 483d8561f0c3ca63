/** The walk that scalar and vector code share: each node is computed once per element, or once per call where it does not vary. */
import { type Code, get, ifElse, type Local, set, tee, type ValueType } from '../encoder/code.ts';
import type { FunctionScope } from '../encoder/function.ts';
import type { Graph, GraphNode } from './graph.ts';
import { type Guard, guardsOf } from './guards.ts';

/** How one kind of code computes nodes. */
export interface Dialect {
  readonly scope: FunctionScope;
  readonly typeOf: (node: GraphNode) => ValueType;
  /** The operands that a node takes from the stack, in the order in which it takes them. */
  readonly operandsOf: (node: GraphNode) => readonly number[];
  /** The node, its operands on the stack. */
  readonly nodeCode: (node: GraphNode, step: number) => Code;
  /** Whether an operand's element is the same throughout the loop. */
  readonly fixed: (input: number) => boolean;
  /** Both lanes of an operand into variables, where that costs little more than one of them. */
  readonly bothLanes?: (input: number, step: number, lanes: readonly [Local, Local]) => Code | undefined;
  /** How branches are left out that no lane picks; without, they never are. */
  readonly guards?: {
    readonly isNeeded: (branch: 'yes' | 'no', mask: Code) => Code;
    readonly unneeded: Code;
  };
}

/** Gives a variable of the type for use within one node. */
export type Temporaries = (type: ValueType, index: 0 | 1 | 2) => Local;

export function temporariesIn(scope: FunctionScope): Temporaries {
  const known = new Map<string, Local>();
  return (type, index) => {
    const key = `${type} ${index}`;
    const local = known.get(key) ?? scope.local(type);
    known.set(key, local);
    return local;
  };
}

export class GraphEmitter {
  readonly #graph: Graph;
  readonly #dialect: Dialect;
  readonly #fixed: readonly boolean[];
  /** By select. */
  readonly #guards: ReadonlyMap<number, readonly Guard[]>;
  readonly #guarded = new Set<Guard>();
  /** By a lane of an operand, the other one. */
  readonly #otherLane: ReadonlyMap<number, number>;
  #isGuarding = false;
  readonly #locals: (Local | undefined)[] = [];
  /** By node: what does not depend on the step, made once. */
  readonly #codes: (Code | undefined)[] = [];
  readonly #orders: (readonly number[] | undefined)[] = [];
  /** The nodes whose variables hold their values. */
  readonly #computed = new Set<number>();
  #step = 0;

  constructor(graph: Graph, dialect: Dialect) {
    this.#graph = graph;
    this.#dialect = dialect;
    this.#fixed = fixedNodes(graph, dialect.fixed);
    this.#otherLane = dialect.bothLanes === undefined ? new Map() : otherLanes(graph);
    this.#guards = dialect.guards === undefined ? new Map() : guardsOf(graph, this.#fixed);
  }

  /** What does not vary: before the loop, and before any {@link values}. */
  prelude(): Code {
    return this.#hoisted().map((node) => this.#keep(node));
  }

  /** One value per root, to be evaluated in this order; `step` counts the repetitions within one pass of the loop. */
  values(step = 0): readonly Code[] {
    this.#step = step;
    this.#guarded.clear();
    for (const node of this.#computed) if (!this.#fixed[node]) this.#computed.delete(node);
    return this.#graph.roots.map((root) => this.#emitNode(root));
  }

  /** Fixed nodes that something varying, or a root, uses. */
  #hoisted(): readonly number[] {
    const { nodes, roots } = this.#graph;
    const wanted = new Set<number>(roots);
    nodes.forEach((_, number) => {
      if (!this.#fixed[number]) for (const operand of this.#orderOf(number)) wanted.add(operand);
    });
    return [...wanted].filter((number) => this.#fixed[number]! && nodes[number]!.expr.op !== 'constant').sort((a, b) => a - b);
  }

  #localFor(number: number): Local {
    return (this.#locals[number] ??= this.#dialect.scope.local(this.#dialect.typeOf(this.#graph.nodes[number]!)));
  }

  #codeOf(number: number): Code {
    const node = this.#graph.nodes[number]!;
    return node.expr.op === 'argument' ? this.#dialect.nodeCode(node, this.#step) : (this.#codes[number] ??= this.#dialect.nodeCode(node, this.#step));
  }

  #orderOf(number: number): readonly number[] {
    return (this.#orders[number] ??= this.#dialect.operandsOf(this.#graph.nodes[number]!));
  }

  /** Computes a node into its variable. */
  #keep(node: number): Code {
    const value = this.#emitNode(node);
    this.#computed.add(node);
    return set(this.#localFor(node), value);
  }

  /**
   * Before the first of its selects: what a guard guards, where it is needed. Not within another guard: selects outside that one
   * would find nothing computed.
   */
  #branches(select: number): Code {
    const { guards } = this.#dialect;
    if (guards === undefined || this.#isGuarding || this.#fixed[select]!) return [];
    return (this.#guards.get(select) ?? []).map((guard) => {
      if (this.#guarded.has(guard)) return [];
      this.#guarded.add(guard);
      const before = [guard.condition, ...guard.needs].map((node) => (this.#computed.has(node) ? [] : this.#keep(node)));
      const isNeeded = guards.isNeeded(guard.branch, get(this.#localFor(guard.condition)));
      this.#isGuarding = true;
      const picked = guard.picked.map((node) => this.#keep(node));
      this.#isGuarding = false;
      return [before, ifElse(isNeeded, picked, guard.picked.map((node) => set(this.#localFor(node), guards.unneeded)))];
    });
  }

  /** An operand's other lane is wanted too. Not within a guard: what is outside it would find nothing computed. */
  #bothLanes(number: number): Code | undefined {
    const other = this.#otherLane.get(number);
    if (other === undefined || this.#isGuarding || this.#computed.has(other)) return undefined;
    const { expr } = this.#graph.nodes[number]!;
    if (expr.op !== 'argument') return undefined;
    const [re, im] = expr.lane === 0 ? [number, other] : [other, number];
    const code = this.#dialect.bothLanes!(expr.input, this.#step, [this.#localFor(re), this.#localFor(im)]);
    if (code !== undefined) this.#computed.add(re).add(im);
    return code;
  }

  /** Post-order over what is not in a variable yet: the order in which a stack machine wants it. */
  #emitNode(root: number): Code {
    const code: Code[] = [];
    const stack = [{ number: root, next: 0 }];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const node = this.#graph.nodes[top.number]!;
      if (this.#computed.has(top.number)) {
        code.push(get(this.#localFor(top.number)));
        stack.pop();
        continue;
      }
      const lanes = this.#bothLanes(top.number);
      if (lanes !== undefined) {
        code.push(lanes);
        continue;
      }
      if (top.next === 0 && node.expr.op === 'select') code.push(this.#branches(top.number));
      const order = this.#orderOf(top.number);
      if (top.next < order.length) {
        stack.push({ number: order[top.next++]!, next: 0 });
        continue;
      }
      code.push(this.#codeOf(top.number));
      if (node.uses > 1 && node.expr.op !== 'constant') {
        code.push(tee(this.#localFor(top.number)));
        this.#computed.add(top.number);
      }
      stack.pop();
    }
    return code;
  }
}

function otherLanes({ nodes }: Graph): ReadonlyMap<number, number> {
  const first = new Map<number, number>();
  const result = new Map<number, number>();
  nodes.forEach(({ expr }, number) => {
    if (expr.op !== 'argument') return;
    const other = first.get(expr.input);
    if (other === undefined) first.set(expr.input, number);
    else result.set(number, other).set(other, number);
  });
  return result;
}

function fixedNodes(graph: Graph, fixed: (input: number) => boolean): readonly boolean[] {
  const result: boolean[] = [];
  for (const { expr, operands } of graph.nodes) {
    result.push(expr.op === 'argument' ? fixed(expr.input) : operands.every((operand) => result[operand]!));
  }
  return result;
}
