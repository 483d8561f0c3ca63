import type { Atom, Instruction, Params, ParamValue, Program, Var } from '../contract.ts';
import { wrongArgument } from '../types/argument.ts';
import { dimText } from '../types/dim.ts';
import { isLiteral, literalText, numberText } from './literal.ts';
import { hasNone, isDimExpr, isProgram, paramNames } from './params.ts';

/**
 * The program as text. Values are renumbered in order, so equal programs print equally, and {@link parseProgram} reads
 * it back. Bound inputs print by type only.
 *
 * @throws ArgumentError when `program` is none.
 * @example
 * import { Builder, mul, printProgram, tensorType } from '@tf/core';
 * const builder = new Builder();
 * const x = builder.input(tensorType('float64', [2]), 'x');
 * const text = printProgram(builder.build([mul(x, 2)]));
 * if (!text.includes('%1:f64[2] = tf.core.mul(%0, 2:f64[])')) throw new Error(text);
 */
export function printProgram(program: Program): string {
  if (!isProgram(program) || !Array.isArray(program.instructions)) throw wrongArgument('printProgram', 'program', program, 'a program: builder.build(outputs)');
  return printLines(program, '', true).join('\n');
}

function printLines(program: Program, indent: string, named: boolean): readonly string[] {
  const names = new Map<Var, string>();
  const define = (variable: Var): string => {
    const name = `%${names.size}`;
    names.set(variable, name);
    return `${name}${!named || variable.name === undefined ? '' : ` ${JSON.stringify(variable.name)}`}:${variable.type.key}`;
  };
  const use = (atom: Atom): string => (isLiteral(atom) ? literalText(atom) : (names.get(atom) ?? `%undefined${atom.id}`));
  const inputs = program.inputs.map(define).join(', ');
  const bound = program.bound.map(({ variable }) => define(variable)).join(', ');
  const lines = [`program(${inputs})${bound === '' ? '' : ` bound(${bound})`} {`];
  for (const { left, right, relation, reason } of program.constraints) lines.push(`${indent}  require ${dimText(left)} ${relation === 'atMost' ? '<=' : '=='} ${dimText(right)} ${JSON.stringify(reason)}`);
  for (const instruction of program.instructions) {
    const args = instruction.inputs.map(use).join(', ');
    const params = paramsText(instruction, `${indent}  `, named);
    const outputs = instruction.outputs.map(define).join(', ');
    lines.push(`${indent}  ${outputs} = ${instruction.operation.id}(${args})${params}`);
  }
  lines.push(`${indent}  return ${program.outputs.map(use).join(', ')}`, `${indent}}`);
  return lines;
}

function paramsText(instruction: Instruction, indent: string, named: boolean): string {
  const { params } = instruction;
  const names = paramNames(params);
  if (names.length === 0) return '';
  return ` {${names.map((name) => `${name}: ${valueText(params[name] as ParamValue, indent, named)}`).join(', ')}}`;
}

/** Parameters as canonical text: equal text means equal parameters. Names of values in regions are left out. */
export function paramsKey(params: Params): string {
  if (hasNone(params)) return '';
  let text = '';
  for (const name of paramNames(params)) text += `${name}:${valueText(params[name] as ParamValue, '', false)};`;
  return text;
}

function valueText(value: ParamValue, indent: string, named: boolean): string {
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'boolean' || value === null) return String(value);
  if (isDimExpr(value)) return `dim(${value.text})`;
  // Regions nest as deep as the user's own functions do, so recursion is bounded by the source text.
  if (isProgram(value)) return printLines(value, indent, named).join('\n');
  return `[${(value as readonly ParamValue[]).map((item) => valueText(item, indent, named)).join(', ')}]`;
}
