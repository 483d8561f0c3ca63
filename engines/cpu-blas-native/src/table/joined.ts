/** Operations of the library that stand for several of the loop language: what lies between them is never written to memory. */
import { loop, type ScalarExpr } from '@tf/core';

interface Match {
  /** As in native/isa/operations.def. */
  readonly name: string;
  readonly operands: readonly ScalarExpr[];
}

/** Users of each node, a root counting as one more. */
type Uses = ReadonlyMap<ScalarExpr, number>;

/** The same expressions, with calls where a joined operation gives the bits of what stood there. */
export function withJoined(roots: readonly ScalarExpr[]): readonly ScalarExpr[] {
  const nodes = loop.nodesInOrder(roots);
  const uses = usesOf(roots, nodes);
  const results = new Map<ScalarExpr, ScalarExpr>();
  for (const node of nodes) {
    const match = isFloat(node) ? matchOf(node, uses) : undefined;
    const operands = loop.operandsOf(node);
    const args = (match?.operands ?? operands).map((operand) => results.get(operand)!);
    if (match !== undefined) results.set(node, { op: 'call', type: node.type, name: match.name, args });
    else results.set(node, args.every((arg, i) => arg === operands[i]) ? node : ({ ...node, args } as ScalarExpr));
  }
  return roots.map((root) => results.get(root)!);
}

function usesOf(roots: readonly ScalarExpr[], nodes: readonly ScalarExpr[]): Uses {
  const uses = new Map<ScalarExpr, number>();
  for (const used of [...roots, ...nodes.flatMap((node) => loop.operandsOf(node))]) uses.set(used, (uses.get(used) ?? 0) + 1);
  return uses;
}

function isFloat({ type }: ScalarExpr): boolean {
  return type === 'f32' || type === 'f64';
}

function isConstant(node: ScalarExpr, value: number): boolean {
  return node.op === 'constant' && Object.is(node.value, value);
}

function isZero(node: ScalarExpr): boolean {
  return isConstant(node, 0) || isConstant(node, -0);
}

function matchOf(node: ScalarExpr, uses: Uses): Match | undefined {
  if (node.op === 'select') return absorbingProduct(node.args) ?? selectByZero(node.args);
  return node.op === 'add' || node.op === 'sub' ? productAndSum(node.op, node.args, uses) : undefined;
}

type Three = readonly [ScalarExpr, ScalarExpr, ScalarExpr];

/** `multiplyOrZero`: (a = 0 or b = 0) and p ≠ p ? 0 : p, p = a·b. */
function absorbingProduct([absorbed, zero, product]: Three): Match | undefined {
  if (product.op !== 'mul' || absorbed.op !== 'and' || !isConstant(zero, 0)) return undefined;
  const [some, undefinedProduct] = absorbed.args;
  if (some.op !== 'or' || undefinedProduct.op !== 'ne' || undefinedProduct.args.some((arg) => arg !== product)) return undefined;
  const isZeroOf = (test: ScalarExpr, factor: ScalarExpr): boolean => test.op === 'eq' && test.args[0] === factor && isZero(test.args[1]);
  return some.args.every((test, i) => isZeroOf(test, product.args[i]!)) ? { name: 'mulOrZero', operands: product.args } : undefined;
}

type Comparison = 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge';

const comparisons: { readonly [op in Comparison]: string } = { eq: 'selectEq0', ne: 'selectNe0', lt: 'selectLt0', le: 'selectLe0', gt: 'selectGt0', ge: 'selectGe0' };

/** A select by a comparison of a number of its own type with 0. */
function selectByZero([condition, ifTrue, ifFalse]: Three): Match | undefined {
  if (!isComparison(condition)) return undefined;
  const [compared, zero] = condition.args;
  return compared.type === ifTrue.type && isZero(zero) ? { name: comparisons[condition.op], operands: [compared, ifTrue, ifFalse] } : undefined;
}

function isComparison(node: ScalarExpr): node is ScalarExpr & { readonly op: Comparison; readonly args: readonly [ScalarExpr, ScalarExpr] } {
  return Object.hasOwn(comparisons, node.op);
}

/** A product in a sum, if nothing else needs it. */
function productAndSum(op: 'add' | 'sub', [a, b]: readonly [ScalarExpr, ScalarExpr], uses: Uses): Match | undefined {
  if (a.op === 'mul' && uses.get(a) === 1) return { name: op === 'add' ? 'mulAdd' : 'mulSub', operands: [...a.args, b] };
  if (b.op === 'mul' && uses.get(b) === 1) return { name: op === 'add' ? 'mulAdd' : 'subMul', operands: [...b.args, a] };
  return undefined;
}
