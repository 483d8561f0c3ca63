/** Scalar expressions as stack code: each node is computed once per element, or once per call where it does not vary. */
import { type Code, get, type Local, set, tee } from '../encoder/code.ts';
import type { FunctionScope } from '../encoder/function.ts';
import type { Graph, GraphNode } from './graph.ts';
import { constantCode, lookupCode, operationCode, tableBytes, type Temporaries } from './scalar-operations.ts';
import { valueTypeOf } from './storage.ts';

export interface ScalarSource {
  readonly scope: FunctionScope;
  /** The value of an operand's present element. */
  readonly read: (input: number) => Code;
  /** Whether the operand's element is the same throughout the loop. */
  readonly fixed: (input: number) => boolean;
  /** Where the bytes of a table lie. */
  readonly dataAddress: (bytes: Uint8Array) => number;
}

export interface ScalarCode {
  /** What does not vary: before the loop. */
  readonly prelude: Code;
  /** One value per root. */
  readonly values: readonly Code[];
}

export function emitScalars(graph: Graph, source: ScalarSource): ScalarCode {
  return new ScalarEmitter(graph, source).emit();
}

class ScalarEmitter {
  readonly #graph: Graph;
  readonly #source: ScalarSource;
  readonly #fixed: readonly boolean[];
  readonly #locals = new Map<number, Local>();
  readonly #temporaries = new Map<string, Local>();

  constructor(graph: Graph, source: ScalarSource) {
    this.#graph = graph;
    this.#source = source;
    this.#fixed = fixedNodes(graph, source.fixed);
  }

  emit(): ScalarCode {
    const prelude = this.#hoisted().map((node) => {
      const value = this.#emitNode(node);
      const local = this.#localFor(node);
      return set(local, value);
    });
    return { prelude, values: this.#graph.roots.map((root) => this.#emitNode(root)) };
  }

  /** Fixed nodes that something varying, or a root, uses. */
  #hoisted(): readonly number[] {
    const { nodes, roots } = this.#graph;
    const wanted = new Set<number>(roots);
    nodes.forEach((node, number) => {
      if (!this.#fixed[number]) for (const operand of node.operands) wanted.add(operand);
    });
    return [...wanted].filter((number) => this.#fixed[number]! && nodes[number]!.expr.op !== 'constant').sort((a, b) => a - b);
  }

  #localFor(number: number): Local {
    const known = this.#locals.get(number);
    if (known !== undefined) return known;
    const local = this.#source.scope.local(valueTypeOf(this.#graph.nodes[number]!.expr.type));
    this.#locals.set(number, local);
    return local;
  }

  /** Post-order over what is not in a variable yet: the order in which a stack machine wants it. */
  #emitNode(root: number): Code {
    const code: Code[] = [];
    const stack = [{ number: root, next: 0 }];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const node = this.#graph.nodes[top.number]!;
      const local = this.#locals.get(top.number);
      if (local !== undefined) {
        code.push(get(local));
        stack.pop();
        continue;
      }
      const order = evaluationOrder(node);
      if (top.next < order.length) {
        stack.push({ number: order[top.next++]!, next: 0 });
        continue;
      }
      code.push(this.#nodeCode(node));
      if (node.uses > 1 && node.expr.op !== 'constant') code.push(tee(this.#localFor(top.number)));
      stack.pop();
    }
    return code;
  }

  #nodeCode({ expr }: GraphNode): Code {
    if (expr.op === 'argument') return this.#source.read(expr.input);
    if (expr.op === 'constant') return constantCode(expr.type, expr.value);
    if (expr.op === 'lookup') return lookupCode(expr.type, expr.table.length, this.#source.dataAddress(tableBytes(expr.type, expr.table)), this.#temporary);
    return operationCode(expr, this.#temporary);
  }

  readonly #temporary: Temporaries = (type, index) => {
    const key = `${type} ${index}`;
    const known = this.#temporaries.get(key);
    if (known !== undefined) return known;
    const local = this.#source.scope.local(type);
    this.#temporaries.set(key, local);
    return local;
  };
}

/** WebAssembly's select takes its condition last. */
function evaluationOrder({ expr, operands }: GraphNode): readonly number[] {
  return expr.op === 'select' ? [operands[1]!, operands[2]!, operands[0]!] : operands;
}

function fixedNodes(graph: Graph, fixed: (input: number) => boolean): readonly boolean[] {
  const result: boolean[] = [];
  for (const { expr, operands } of graph.nodes) {
    result.push(expr.op === 'argument' ? fixed(expr.input) : operands.every((operand) => result[operand]!));
  }
  return result;
}
