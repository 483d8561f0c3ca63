/** Kernels as text and their checks. */
import { invariant } from '../errors.ts';
import { dtypes } from '../types/dtype.ts';
import type { KernelAccess, LoopKernel, ScalarExpr, ScanKernel } from '../types/loop-language.ts';
import { nodesInOrder } from './order.ts';
import { identity } from './reduction.ts';
import { checkNode, operandsOf, scalarTypeOf } from './scalar.ts';

/**
 * The canonical text of a kernel: equal kernels have equal texts and different kernels different ones. Key of code caches
 * and print form. Nodes are numbered in order of first need; equal subexpressions get one number whether or not they were
 * one object, so the text says what is computed and is linear in the size of the graph.
 */
export function kernelText(kernel: LoopKernel): string {
  const { lines, results } = printNodes(kernel.body);
  return [
    `kernel rank ${kernel.rank}`,
    ...kernel.reads.map((access, i) => `read ${i} ${accessText(access)}`),
    ...kernel.writes.map((access, i) => `write ${i} ${accessText(access)}`),
    ...(kernel.reduce === undefined ? [] : [`reduce ${kernel.reduce.monoid} axes ${kernel.reduce.axes}`]),
    ...lines,
    `result ${results.join(' ')}`,
  ].join('\n');
}

function accessText(access: KernelAccess): string {
  return `${access.dtype} ${access.inner}`;
}

interface PrintedNodes {
  readonly lines: readonly string[];
  /** The name of each root, e.g. `%3`. */
  readonly results: readonly string[];
}

function printNodes(roots: readonly ScalarExpr[]): PrintedNodes {
  const names = new Map<ScalarExpr, string>();
  const nameOfText = new Map<string, string>();
  const lines: string[] = [];
  for (const node of nodesInOrder(roots)) {
    const text = nodeText(node, operandsOf(node).map((operand) => names.get(operand)!));
    let name = nameOfText.get(text);
    if (name === undefined) {
      name = `%${lines.length}`;
      nameOfText.set(text, name);
      lines.push(`${name} = ${text}`);
    }
    names.set(node, name);
  }
  return { lines, results: roots.map((root) => names.get(root)!) };
}

function nodeText(node: ScalarExpr, operands: readonly string[]): string {
  switch (node.op) {
    case 'argument':
      return `argument ${node.type} ${node.input}.${node.lane}`;
    case 'constant':
      return `constant ${node.type} ${valueText(node.value)}`;
    case 'lookup':
      return ['lookup', node.type, `[${node.table.map(valueText).join(' ')}]`, ...operands].join(' ');
    case 'call':
      return ['call', node.type, JSON.stringify(node.name), ...operands].join(' ');
    default:
      return [node.op, node.type, ...operands].join(' ');
  }
}

function valueText(value: number | bigint): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** Throws an `InvariantError` where types, lanes, operands or the reduction of a kernel do not fit. */
export function checkKernel(kernel: LoopKernel): void {
  invariant(Number.isInteger(kernel.rank) && kernel.rank >= 0, `kernel: rank ${kernel.rank} is not a count`);
  checkBody(kernel);
  for (const node of nodesInOrder(kernel.body)) {
    checkNode(node);
    if (node.op === 'argument') checkArgument(kernel, node.type, node.input, node.lane);
  }
  if (kernel.reduce !== undefined) checkReduction(kernel, kernel.reduce);
}

function checkBody(kernel: LoopKernel): void {
  const lanes = kernel.writes.flatMap(({ dtype }) => new Array<string>(dtypes[dtype].lanes).fill(scalarTypeOf(dtype)));
  const given = kernel.body.map((expr) => expr.type);
  invariant(lanes.join() === given.join(), `kernel: writes take (${lanes.join()}), the body gives (${given.join()})`);
}

function checkArgument(kernel: LoopKernel, type: string, input: number, lane: number): void {
  const access = kernel.reads[input];
  invariant(access !== undefined, `kernel: argument ${input} of ${kernel.reads.length} reads`);
  invariant(lane < dtypes[access.dtype].lanes, `kernel: argument ${input} (${access.dtype}) has no lane ${lane}`);
  invariant(scalarTypeOf(access.dtype) === type, `kernel: argument ${input} (${access.dtype}) is read as ${type}`);
}

function checkReduction(kernel: LoopKernel, { monoid, axes }: NonNullable<LoopKernel['reduce']>): void {
  invariant(Number.isInteger(axes) && axes >= 1 && axes <= kernel.rank, `kernel: cannot reduce ${axes} of ${kernel.rank} axes`);
  for (const { dtype } of kernel.writes) identity(monoid, dtype);
}

/** The canonical text of a scan, as {@link kernelText}. */
export function scanText({ rank, columns, reads, write, first, next }: ScanKernel): string {
  const { lines, results } = printNodes([...first, ...next]);
  return [`scan rank ${rank}${columns ? ' of columns' : ''}`, ...reads.map((access, i) => `read ${i} ${accessText(access)}`), `write ${accessText(write)}`, ...lines, `first ${results.slice(0, first.length).join(' ')}`, `next ${results.slice(first.length).join(' ')}`].join('\n');
}

/** Throws an `InvariantError` where types, lanes or operands of a scan do not fit. */
export function checkScan({ rank, columns, reads, write, first, next }: ScanKernel): void {
  invariant(Number.isInteger(rank) && rank >= (columns ? 2 : 1), `scan: rank ${rank} has no axis to scan`);
  const check = (body: readonly ScalarExpr[], operands: readonly KernelAccess[]): void => checkKernel({ rank, reads: operands, writes: [write], body });
  check(first, reads);
  check(next, [...reads, write]);
}
