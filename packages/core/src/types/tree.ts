import { TfError } from '../errors.ts';

/** How leaves are nested: arrays, and plain objects with their keys in alphabetical order. */
export type TreeStructure =
  | { readonly kind: 'leaf' }
  | { readonly kind: 'list'; readonly items: readonly TreeStructure[] }
  | { readonly kind: 'record'; readonly keys: readonly string[]; readonly items: readonly TreeStructure[] };

export interface FlatTree {
  readonly structure: TreeStructure;
  readonly leaves: readonly unknown[];
  /** Where each leaf lies, e.g. `[0].weights`. */
  readonly paths: readonly string[];
}

const leaf: TreeStructure = Object.freeze({ kind: 'leaf' });
const deepest = 100;

/** Takes a tree apart. Everything but arrays and plain objects is a leaf. */
export function flattenTree(tree: unknown): FlatTree {
  const leaves: unknown[] = [];
  const paths: string[] = [];
  const visit = (node: unknown, path: string, depth: number): TreeStructure => {
    if (depth > deepest) throw new TfError('ArgumentError', `A tree of arguments is more than ${deepest} levels deep at ${path.slice(0, 60)}…: it contains itself, or is no tree of tensors.`, { argument: path });
    if (Array.isArray(node)) return { kind: 'list', items: node.map((item, at) => visit(item, `${path}[${at}]`, depth + 1)) };
    if (isRecord(node)) {
      const keys = keysOf(node);
      return { kind: 'record', keys, items: keys.map((key) => visit(node[key], path === '' ? key : `${path}.${key}`, depth + 1)) };
    }
    leaves.push(node);
    paths.push(path);
    return leaf;
  };
  return { structure: visit(tree, '', 0), leaves, paths };
}

/** Puts leaves back in their places. */
export function unflattenTree(structure: TreeStructure, leaves: readonly unknown[]): unknown {
  let next = 0;
  const build = (at: TreeStructure): unknown => {
    if (at.kind === 'leaf') return leaves[next++];
    const items = new Array<unknown>(at.items.length);
    for (let index = 0; index < items.length; index++) items[index] = build(at.items[index] as TreeStructure);
    return at.kind === 'list' ? items : Object.fromEntries(at.keys.map((key, index) => [key, items[index]]));
  };
  return build(structure);
}

/**
 * The structure as text in which `text(leaf)` stands for each leaf, and the leaves in order: what a call is looked up by,
 * without building anything else.
 */
export function treeSignature(tree: unknown, leaves: unknown[], text: (leaf: unknown) => string, depth = 0): string {
  if (Array.isArray(tree)) {
    if (depth > deepest) return flattenTree(tree).paths.join();
    let key = '[';
    for (let at = 0; at < tree.length; at++) key += `${treeSignature(tree[at], leaves, text, depth + 1)},`;
    return `${key}]`;
  }
  if (isRecord(tree)) {
    if (depth > deepest) return flattenTree(tree).paths.join();
    let key = '{';
    for (const name of keysOf(tree)) key += `${JSON.stringify(name)}:${treeSignature(tree[name], leaves, text, depth + 1)},`;
    return `${key}}`;
  }
  leaves.push(tree);
  return text(tree);
}

/** Whether a tree has this structure; its leaves are added in order, some of them also where it has not. */
export function matchTree(structure: TreeStructure, tree: unknown, leaves: unknown[]): boolean {
  if (structure.kind === 'list') {
    const { items } = structure;
    if (!Array.isArray(tree) || tree.length !== items.length) return false;
    for (let at = 0; at < items.length; at++) if (!matchTree(items[at] as TreeStructure, tree[at], leaves)) return false;
    return true;
  }
  if (Array.isArray(tree)) return false;
  if (structure.kind === 'leaf') {
    leaves.push(tree);
    return !isRecord(tree);
  }
  if (!isRecord(tree) || Object.keys(tree).length !== structure.keys.length) return false;
  return structure.keys.every((key, at) => Object.hasOwn(tree, key) && matchTree(structure.items[at] as TreeStructure, tree[key], leaves));
}

/** Whether two trees have the same structure. */
export function sameStructure(a: TreeStructure, b: TreeStructure): boolean {
  if (a.kind === 'leaf' || b.kind === 'leaf') return a.kind === b.kind;
  if (a.kind !== b.kind || a.items.length !== b.items.length) return false;
  if (a.kind === 'record' && b.kind === 'record' && !a.keys.every((key, at) => key === b.keys[at])) return false;
  return a.items.every((item, at) => sameStructure(item, b.items[at] as TreeStructure));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function keysOf(record: object): readonly string[] {
  const keys = Object.keys(record);
  return keys.length < 2 ? keys : keys.sort();
}
