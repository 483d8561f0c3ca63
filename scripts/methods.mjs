// Writes packages/core/src/tensor/methods.generated.ts: the closed list of methods that every tensor has. Each forwards
// to a public function.
//   node scripts/methods.mjs [--print]
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const target = fileURLToPath(new URL('../packages/core/src/tensor/methods.generated.ts', import.meta.url));

/** How a method takes its arguments: type parameters, parameters, what is passed on, and the type of the result. */
const forms = {
  join: { generics: '<A extends Operand, B extends Argument>', self: 'A', parameters: 'other: B', passes: 'other', result: 'Joined<A, B>' },
  quotient: { generics: '<A extends Operand, B extends Argument>', self: 'A', parameters: 'other: B', passes: 'other', result: 'Of<JoinKind<A, B>, FloatResult<JoinDType<A, B>>>' },
  truth: { generics: '<A extends Operand, B extends Argument>', self: 'A', parameters: 'other: B', passes: 'other', result: "Of<JoinKind<A, B>, 'bool'>" },
  product: { generics: '<A extends Operand, B extends Operand>', self: 'A', parameters: 'other: B', passes: 'other', result: 'Of<JoinKind<A, B>, JoinDType<A, B>>' },
  same: { result: 'Of<K, D>' },
  float: { result: 'Of<K, FloatResult<D>>' },
  real: { result: 'Of<K, RealPart<D>>' },
  sums: { parameters: 'options: ReduceOptions = {}', passes: 'options', result: 'Of<K, SumResult<D>>' },
  average: { parameters: 'options: ReduceOptions = {}', passes: 'options', result: 'Of<K, FloatResult<D>>' },
  spread: { parameters: 'options: VarianceOptions = {}', passes: 'options', result: 'Of<K, RealPart<FloatResult<D>>>' },
  question: { parameters: 'options: ReduceOptions = {}', passes: 'options', result: "Of<K, 'bool'>" },
  place: { parameters: 'options: ArgOptions = {}', passes: 'options', result: "Of<K, 'int32'>" },
  axes: { parameters: 'axes: AxisList', passes: 'axes', result: 'Of<K, D>' },
  someAxes: { parameters: 'axes?: AxisList', passes: 'axes', result: 'Of<K, D>' },
  indices: { parameters: 'indices: Indices, axis = 0', passes: 'indices, axis', result: 'Of<K, D>' },
  box: { parameters: 'start: readonly Dim[], stop: readonly Dim[], step?: readonly number[]', passes: 'start, stop, step', result: 'Of<K, D>' },
  reduction: { parameters: 'options: ReduceOptions = {}', passes: 'options', result: 'Of<K, D>' },
  shape: { parameters: 'shape: Shape', passes: 'shape', result: 'Of<K, D>' },
  permutation: { parameters: 'perm?: readonly number[]', passes: 'perm', result: 'Of<K, D>' },
  dtype: { generics: '<E extends DType>', parameters: 'dtype: E', passes: 'dtype', result: 'Of<K, E>' },
};

/** Method, the function it forwards to, the file of that function (in `primitives` where it says no folder), and the form of its arguments. */
const table = [
  ['add', 'add', 'arithmetic', 'join'],
  ['sub', 'sub', 'arithmetic', 'join'],
  ['mul', 'mul', 'arithmetic', 'join'],
  ['div', 'div', 'division', 'quotient'],
  ['pow', 'pow', 'power', 'quotient'],
  ['neg', 'neg', 'arithmetic', 'same'],
  ['abs', 'abs', 'magnitude', 'real'],
  ['sqrt', 'sqrt', 'functions', 'float'],
  ['exp', 'exp', 'functions', 'float'],
  ['log', 'log', 'functions', 'float'],
  ['tanh', 'tanh', 'functions', 'float'],
  ['sigmoid', 'sigmoid', 'special', 'float'],
  ['sin', 'sin', 'special', 'float'],
  ['cos', 'cos', 'special', 'float'],
  ['maximum', 'maximum', 'extrema', 'join'],
  ['minimum', 'minimum', 'extrema', 'join'],
  ['eq', 'equal', 'compare', 'truth'],
  ['ne', 'notEqual', 'compare', 'truth'],
  ['lt', 'less', 'compare', 'truth'],
  ['le', 'lessEqual', 'compare', 'truth'],
  ['gt', 'greater', 'compare', 'truth'],
  ['ge', 'greaterEqual', 'compare', 'truth'],
  ['sum', 'sum', 'reduce', 'sums'],
  ['prod', 'prod', 'product', 'sums'],
  ['mean', 'mean', 'compositions/statistics', 'average'],
  ['variance', 'variance', 'compositions/statistics', 'spread'],
  ['std', 'std', 'compositions/statistics', 'spread'],
  ['max', 'reduceMax', 'reduce', 'reduction'],
  ['min', 'reduceMin', 'reduce', 'reduction'],
  ['argmax', 'argmax', 'compositions/choices', 'place'],
  ['argmin', 'argmin', 'compositions/choices', 'place'],
  ['any', 'any', 'compositions/choices', 'question'],
  ['all', 'all', 'compositions/choices', 'question'],
  ['reshape', 'reshape', 'movement', 'shape'],
  ['broadcastTo', 'broadcastTo', 'movement', 'shape'],
  ['transpose', 'transpose', 'movement', 'permutation'],
  ['expandDims', 'expandDims', 'compositions/arrangement', 'axes'],
  ['squeeze', 'squeeze', 'compositions/arrangement', 'someAxes'],
  ['slice', 'slice', 'slicing', 'box'],
  ['take', 'take', 'indexing', 'indices'],
  ['matmul', 'matmul', 'contraction', 'product'],
  ['convert', 'convert', 'convert', 'dtype'],
  ['cast', 'cast', 'convert', 'dtype'],
];

const methodText = ([method, fn, , form]) => {
  const { generics = '', self, parameters = '', passes, result } = forms[form];
  const given = [self === undefined ? '' : `this: ${self}`, parameters].filter(Boolean).join(', ');
  const passed = ['this', passes].filter(Boolean).join(', ');
  return [`  /** {@link ${fn}} */`, `  ${method}${generics}(${given}): ${result} {`, `    return ${fn}(${passed});`, '  }', ''].join('\n');
};

/** Functions and types by file, as one import each. */
const importsText = () => {
  const files = new Map();
  const extra = { 'primitives/reduce': ['type ReduceOptions'], 'primitives/indexing': ['type Indices'], 'compositions/statistics': ['type VarianceOptions'], 'compositions/choices': ['type ArgOptions'], 'compositions/arrangement': ['type AxisList'] };
  for (const [, fn, name] of table) {
    const file = name.includes('/') ? name : `primitives/${name}`;
    files.set(file, [...(files.get(file) ?? extra[file] ?? []), fn]);
  }
  const plain = (name) => name.replace('type ', '').toLowerCase();
  return [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, names]) => `import { ${names.sort((a, b) => (plain(a) < plain(b) ? -1 : 1)).join(', ')} } from '../${file}.ts';`)
    .join('\n');
};

export const methodsText = () => `// Written by scripts/methods.mjs: change the table there and run \`pnpm methods\`.
${importsText()}
import type { Dim } from '../types/dim.ts';
import type { DType, FloatResult, RealPart, SumResult } from '../types/dtype.ts';
import type { Argument, JoinDType, Joined, JoinKind, Kind, Listener, Of, Operand } from '../types/operand.ts';
import type { Shape } from '../types/shape.ts';
import type { TensorType } from '../types/tensor-type.ts';
import { OperandBase } from './operand-base.ts';

/** The methods that every tensor has. Each is a public function of the same arguments, \`this\` being the first. */
export abstract class TensorMethods<K extends Kind, D extends DType> extends OperandBase<K, D> implements Operand<K, D> {
  abstract override readonly type: TensorType<D>;

  /** Whoever carries out operations on this tensor. */
  abstract get listener(): Listener<K>;

  get dtype(): D {
    return this.type.dtype;
  }

  get shape(): Shape {
    return this.type.shape;
  }

  /** The number of axes. */
  get rank(): number {
    return this.type.shape.length;
  }

${table.map(methodText).join('\n').trimEnd()}
}
`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--print')) process.stdout.write(methodsText());
  else writeFileSync(target, methodsText());
}
