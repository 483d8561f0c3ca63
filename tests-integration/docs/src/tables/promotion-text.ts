import { abs, add, Builder, div, type DType, equal, exp, mean, mul, type Operand, promotionTable, sum, tensorType, TfError } from '@tf/core';
import { allDTypes } from './support.ts';

/** Expressions of one operand `x`, for which the dtype of the result is asked. */
const expressions: readonly (readonly [string, (x: Operand) => Operand])[] = [
  ['x + 2', (x) => add(x, 2) as Operand],
  ['x + 0.5', (x) => add(x, 0.5) as Operand],
  ['x · true', (x) => mul(x, true) as Operand],
  ['x / x', (x) => div(x, x) as Operand],
  ['exp(x)', (x) => exp(x) as Operand],
  ['sum(x)', (x) => sum(x) as Operand],
  ['mean(x)', (x) => mean(x) as Operand],
  ['abs(x)', (x) => abs(x) as Operand],
  ['x = x', (x) => equal(x, x) as Operand],
];

const code = (text: string): string => `\`${text}\``;

/** docs/promotion.md. */
export function promotionText(): string {
  return [
    '<!-- Written by `pnpm support`: change `promotionTable` in packages/core/src/types/dtype.ts, not this file. -->',
    '# Dtypes of results',
    '',
    'Two tensors of different dtypes meet in the dtype of this table, at run time and, by the same table, in the type of the',
    'result: an int64 and a float32 give float32, as in JAX (NumPy would give float64).',
    '',
    ...grid(['', ...allDTypes], allDTypes.map((row) => [`**${row}**`, ...allDTypes.map((column) => promotionTable[row][column])])),
    '',
    'JavaScript numbers and booleans are weak: they take the dtype of the tensor they meet, if that holds them; a fraction with an',
    'integer tensor gives float64. (Types do not know the value of a `number`: there the result keeps its integer type, so convert',
    'first.) Functions whose values are no integers give float64 for integers and booleans. Tried, for a tensor `x` of each dtype:',
    '',
    ...grid(['dtype of x', ...expressions.map(([text]) => code(text))], allDTypes.map((dtype) => [`**${dtype}**`, ...expressions.map(([, f]) => resultOf(f, dtype))])),
    '',
    '```ts',
    "import { add, exp, type HostTensor, tensor } from '@tf/core';",
    '',
    'const counts = tensor(Int32Array.of(1, 2));',
    "const powers: HostTensor<'float64'> = exp(counts); // a function of an int32 tensor has type float64",
    "const shifted: HostTensor<'int32'> = add(counts, 2);",
    "const mixed: HostTensor<'float32'> = add(counts, tensor(Float32Array.of(0.5, 1.5)));",
    'console.log(powers.dtype, shifted.dtype, mixed.dtype); // → float64 int32 float32',
    '```',
    '',
  ].join('\n');
}

const grid = (head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] => [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);

/** The dtype, or the name of the error. */
function resultOf(f: (x: Operand) => Operand, dtype: DType): string {
  const x = new Builder().input(tensorType(dtype, [2]));
  try {
    return f(x as Operand).type.dtype;
  } catch (error) {
    if (error instanceof TfError) return error.name;
    throw error;
  }
}
