import { type Atom, dimText, isLiteral, isProgram, type Program } from '@tf/core';
import type { Graph, GraphNode } from './messages.ts';

/** A program as nodes and edges: inputs, operations, outputs, and the literals that operations read. */
export function programGraph(program: Program): Graph {
  const nodes: GraphNode[] = [];
  const edges: { from: string; to: string }[] = [];
  const made = new Map<unknown, string>();
  const add = (node: Omit<GraphNode, 'id'>): string => {
    const id = `n${nodes.length}`;
    nodes.push({ id, ...node });
    return id;
  };
  program.inputs.forEach((variable, at) => made.set(variable, add({ label: variable.name ?? `input ${at}`, role: 'input', detail: variable.type.key })));
  program.bound.forEach(({ variable }) => made.set(variable, add({ label: 'constant', role: 'constant', detail: variable.type.key })));
  /** Literals are small and many: each use has its own node, beside what reads it. */
  const source = (atom: Atom): string => made.get(atom) ?? add({ label: isLiteral(atom) ? literalLabel(atom.data) : '?', role: 'constant', detail: atom.type.key });
  for (const { operation, inputs, params, outputs } of program.instructions) {
    const types = outputs.map(({ type }) => type.key).join(', ');
    const sources = inputs.map(source);
    const id = add({ label: operation.id.slice(operation.id.lastIndexOf('.') + 1), role: 'operation', detail: [operation.id, types, ...Object.entries(params).map(([name, value]) => `${name}: ${paramText(value)}`)].join('\n') });
    for (const from of sources) edges.push({ from, to: id });
    for (const output of outputs) made.set(output, id);
  }
  program.outputs.forEach((atom, at) => {
    const from = source(atom);
    edges.push({ from, to: add({ label: program.outputs.length === 1 ? 'output' : `output ${at}`, role: 'output', detail: atom.type.key }) });
  });
  return { nodes, edges };
}

function literalLabel(data: ArrayLike<unknown>): string {
  return data.length === 1 ? String(data[0]) : `${data.length} numbers`;
}

function paramText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(paramText).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  return isProgram(value as never) ? 'a program' : dimText(value as never);
}
