import { flattenTree, matchTree, treeSignature, type TreeStructure } from '@tf/core';

/** What the calls of a jitted function are looked up by. A call like the one before is compared with it, part by part, and no text is made. */
export class Signatures {
  readonly #text: (leaf: unknown) => string;
  #key = '';
  #hash = 0;
  /** Of the last key, once it has come twice. */
  #structure: TreeStructure | undefined;
  #texts: readonly string[] = [];

  /** `text`: what a leaf contributes. */
  constructor(text: (leaf: unknown) => string) {
    this.#text = text;
  }

  /** The signature of these arguments, whose leaves are put into an empty list. */
  of(args: readonly unknown[], leaves: unknown[]): string {
    if (this.#isLast(args, leaves)) return this.#key;
    leaves.length = 0;
    const key = treeSignature(args, leaves, this.#text);
    if (key === this.#key) {
      this.#structure = flattenTree(args).structure;
      this.#texts = leaves.map(this.#text);
      return this.#key;
    }
    this.#key = key;
    this.#hash = hashText(key);
    this.#structure = undefined;
    return key;
  }

  hash(key: string): number {
    return key === this.#key ? this.#hash : hashText(key);
  }

  #isLast(args: readonly unknown[], leaves: unknown[]): boolean {
    if (this.#structure === undefined || !matchTree(this.#structure, args, leaves)) return false;
    for (let at = 0; at < leaves.length; at++) if (this.#text(leaves[at]) !== this.#texts[at]) return false;
    return true;
  }
}

function hashText(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
