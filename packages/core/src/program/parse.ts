import type { Atom, Catalog, Instruction, Literal, Operation, Params, ParamValue, Program, Var } from '../contract.ts';
import { isTfError, TfError } from '../errors.ts';
import { wrongArgument } from '../types/argument.ts';
import { type Dim, dimText, isKnown, parseDim } from '../types/dim.ts';
import { allocate, type DType, dtypes } from '../types/dtype.ts';
import { elementCount, type Shape } from '../types/shape.ts';
import { sameType, type TensorType, tensorType, typeText } from '../types/tensor-type.ts';
import { Builder } from './builder.ts';
import { maximumLiteralElements } from './literal.ts';
import { TextCursor } from './text-cursor.ts';

const patterns = {
  reference: /%\d+/y,
  name: /"(?:[^"\\]|\\.)*"/y,
  dtype: /[a-z]+\d*(?=\[)/y,
  dim: /[A-Za-z0-9_'*+-]+/y,
  number: /-?(?:Infinity|NaN|\d+(?:\.\d+)?(?:e[+-]\d+)?)/y,
  operation: /[A-Za-z][\w.-]*(?=\()/y,
  parameter: /[A-Za-z_$][\w$]*/y,
  constant: /(?:true|false|null)\b/y,
} as const;

/**
 * Reads the text that `printProgram` writes: `printProgram(parseProgram(text, catalog)) === text`. Types are checked
 * against what the operations infer. Bound inputs come back without their values.
 *
 * @throws ParseError with line, column and what was expected there; ArgumentError when `text` is no string.
 * @example
 * import { createCatalog, parseProgram } from '@tf/core';
 * const program = parseProgram(`program(%0 "x":f64[2]) {
 *   %1:f64[2] = tf.core.exp(%0)
 *   return %1
 * }`, createCatalog());
 * if (program.instructions.length !== 1) throw new Error('unexpected');
 */
export function parseProgram(text: string, catalog: Catalog): Program {
  if (typeof text !== 'string') throw wrongArgument('parseProgram', 'text', text, 'what printProgram wrote');
  if (typeof (catalog as Partial<Catalog> | undefined | null)?.operation !== 'function') throw wrongArgument('parseProgram', 'catalog', catalog, 'the catalog of the program\'s operations: createCatalog()');
  const cursor = new TextCursor(text);
  const program = new ProgramReader(cursor, catalog).read();
  cursor.end();
  return program;
}

/** Reads one program; a region gets a reader of its own, so recursion is as deep as regions nest. */
class ProgramReader {
  readonly #cursor: TextCursor;
  readonly #catalog: Catalog;
  readonly #builder = new Builder();
  readonly #values = new Map<string, Var>();

  constructor(cursor: TextCursor, catalog: Catalog) {
    this.#cursor = cursor;
    this.#catalog = catalog;
  }

  read(): Program {
    const cursor = this.#cursor;
    cursor.expect('program(');
    cursor.list(')', () => this.#input((type, name) => this.#builder.input(type, name)));
    if (cursor.take('bound(')) cursor.list(')', () => this.#input((type) => this.#builder.bind(type, undefined)));
    cursor.expect('{');
    while (cursor.take('require ')) this.#constraint();
    while (!cursor.take('return')) this.#instruction();
    const outputs = cursor.list('}', () => this.#atom());
    return this.#builder.build(outputs);
  }

  #input(create: (type: TensorType, name: string | undefined) => Var): void {
    const { reference, name, type, at } = this.#declaration();
    this.#define(reference, create(type, name), at);
  }

  #constraint(): void {
    const cursor = this.#cursor;
    const left = this.#dim();
    const isBound = cursor.take('<=');
    if (!isBound) cursor.expect('==');
    const right = this.#dim();
    this.#builder.require({ left, right, ...(isBound ? { relation: 'atMost' } : {}), reason: JSON.parse(cursor.match(patterns.name, 'the reason in quotes')) as string });
  }

  #instruction(): void {
    const cursor = this.#cursor;
    const outputs = cursor.list('=', () => this.#declaration());
    const named = outputs.find(({ name }) => name !== undefined);
    if (named !== undefined) throw cursor.fault(`an output without a name (inputs have names)`, named.at);
    const at = cursor.position();
    const operation = this.#operation();
    cursor.expect('(');
    const inputs = cursor.list(')', () => this.#atom());
    const params = cursor.take('{') ? this.#params() : {};
    this.#checkTypes(operation, inputs, params, outputs.map(({ type }) => type), at);
    const variables = this.#builder.replay({ operation, params, outputs: outputs as readonly { type: TensorType }[] } as unknown as Instruction, inputs);
    outputs.forEach(({ reference, at: place }, index) => this.#define(reference, variables[index] as Var, place));
  }

  #operation(): Operation {
    const cursor = this.#cursor;
    const at = cursor.position();
    const id = cursor.match(patterns.operation, 'the id of an operation');
    const operation = this.#catalog.operation(id);
    if (operation === undefined) throw cursor.fault(`an operation of the catalog, not ${id} (add the package that owns it to createCatalog([...]))`, at);
    return operation;
  }

  #checkTypes(operation: Operation, inputs: readonly Atom[], params: Params, declared: readonly TensorType[], at: number): void {
    let inferred: readonly TensorType[];
    try {
      inferred = operation.infer(inputs.map((input) => input.type), params, () => {});
    } catch (error) {
      // Parameters of a wrong form may break an inference rule in any way.
      throw this.#cursor.fault(`operands and parameters that ${operation.id} takes (${isTfError(error) ? error.message : String(error)})`, at, error);
    }
    const fits = inferred.length === declared.length && inferred.every((type, index) => sameType(type, declared[index] as TensorType));
    if (!fits) throw this.#cursor.fault(`outputs of type ${inferred.map(typeText).join(', ')}, which ${operation.id} infers, not ${declared.map(typeText).join(', ')}`, at);
  }

  /** `%3 "name":f64[2]` */
  #declaration(): { readonly reference: string; readonly name: string | undefined; readonly type: TensorType; readonly at: number } {
    const cursor = this.#cursor;
    const at = cursor.position();
    const reference = cursor.match(patterns.reference, 'a value such as %0');
    const name = cursor.maybe(patterns.name);
    cursor.expect(':');
    return { reference, name: name === undefined ? undefined : (JSON.parse(name) as string), type: this.#type(), at };
  }

  #define(reference: string, variable: Var, at: number): void {
    if (this.#values.has(reference)) throw this.#cursor.fault(`a new value, ${reference} is defined already`, at);
    this.#values.set(reference, variable);
  }

  #atom(): Atom {
    const cursor = this.#cursor;
    const at = cursor.position();
    const reference = cursor.maybe(patterns.reference);
    if (reference === undefined) return this.#literal();
    const value = this.#values.get(reference);
    if (value === undefined) throw cursor.fault(`a value defined above, ${reference} is not`, at);
    return value;
  }

  #literal(): Literal {
    const cursor = this.#cursor;
    const at = cursor.position();
    const numbers = cursor.take('[') ? cursor.list(']', () => this.#number()) : [this.#number()];
    cursor.expect(':');
    const type = this.#type();
    const count = elementCount(type.shape);
    if (!isKnown(count) || count > maximumLiteralElements || count * dtypes[type.dtype].lanes !== numbers.length) throw cursor.fault(`a literal whose ${numbers.length} numbers fill its type, not ${typeText(type)}`, at);
    const data = allocate(type.dtype, count);
    numbers.forEach((number, index) => {
      data[index] = parseNumber(type.dtype, number, () => cursor.fault(`numbers that ${type.dtype} holds, not ${number}`, at)) as never;
    });
    return this.#builder.literal(type, data);
  }

  #number(): string {
    return this.#cursor.match(patterns.number, 'a number');
  }

  #type(): TensorType {
    const cursor = this.#cursor;
    const at = cursor.position();
    const short = cursor.match(patterns.dtype, 'a type such as f64[2, n]');
    const dtype = (Object.keys(dtypes) as DType[]).find((name) => dtypes[name].short === short);
    if (dtype === undefined) throw cursor.fault(`one of ${Object.values(dtypes).map((info) => info.short).join(', ')}, not ${short}`, at);
    cursor.expect('[');
    const shape: Shape = cursor.list(']', () => this.#dim());
    return cursor.guard('a shape', at, () => tensorType(dtype, shape));
  }

  #dim(): Dim {
    const cursor = this.#cursor;
    const at = cursor.position();
    const text = cursor.match(patterns.dim, 'an extent such as 3 or 2*n+1');
    const dim = cursor.guard('an extent', at, () => parseDim(text));
    if (dimText(dim) !== text) throw cursor.fault(`the extent in the form ${dimText(dim)}, not ${text}`, at);
    return dim;
  }

  #params(): Params {
    const cursor = this.#cursor;
    const entries = cursor.list('}', (): readonly [string, ParamValue] => {
      const name = cursor.match(patterns.parameter, 'the name of a parameter');
      cursor.expect(':');
      return [name, this.#value()];
    });
    return Object.fromEntries(entries);
  }

  #value(): ParamValue {
    const cursor = this.#cursor;
    if (cursor.sees('program(')) return new ProgramReader(cursor, this.#catalog).read();
    if (cursor.take('[')) return cursor.list(']', () => this.#value());
    if (cursor.take('dim(')) return this.#symbolic();
    const constant = cursor.maybe(patterns.constant);
    if (constant !== undefined) return JSON.parse(constant) as boolean | null;
    const text = cursor.maybe(patterns.name);
    if (text !== undefined) return JSON.parse(text) as string;
    return Number(cursor.match(patterns.number, 'a parameter: a number, string, boolean, null, dim(...), list or program'));
  }

  #symbolic(): Dim {
    const dim = this.#dim();
    this.#cursor.expect(')');
    return dim;
  }
}

function parseNumber(dtype: DType, text: string, fault: () => TfError): number | bigint {
  const { kind } = dtypes[dtype];
  if (kind !== 'int' && kind !== 'bool') return Number(text);
  if (!/^-?\d+$/.test(text)) throw fault();
  const value = BigInt(text);
  const fits = kind === 'bool' ? value === 0n || value === 1n : BigInt.asIntN(8 * dtypes[dtype].bytes, value) === value;
  if (!fits) throw fault();
  return dtype === 'int64' ? value : Number(value);
}
