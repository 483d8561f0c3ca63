/** Calls of LAPACK as JAX's runtime registers them, on CPUs. */
import { equal, type Kind, type Operand, reshape, select } from '@tf/core';
import type { StableHloElement as Element, NativeRole, StableHloSite, StableHloValue as Value, StableHloType as ValueType } from '@tf/export-stablehlo';

/** A routine's name after the letter of its type; where that of complex matrices is another one, both. */
export type Routine = string | readonly [real: string, complex: string];

const letters: { readonly [E in Element]?: string } = { f32: 's', f64: 'd', 'complex<f32>': 'c', 'complex<f64>': 'z' };

/** Results of a routine. Matrices lie in memory column by column, as LAPACK has them. */
export function callLapack({ writer }: StableHloSite, routine: Routine, operands: readonly Value[], types: readonly ValueType[], config = ''): readonly Value[] {
  const [{ element, shape }] = operands as readonly [Value];
  const name = typeof routine === 'string' ? routine : routine[isComplexElement(element) ? 1 : 0];
  const matrices = (of: readonly ValueType[]): readonly number[] => of.flatMap((type, at) => (type.shape.length === shape.length ? [at] : []));
  return writer.customCall(`lapack_${letters[element]}${name}_ffi`, operands, types, { config, byColumns: { operands: matrices(operands), results: matrices(types) } });
}

export function isComplexElement(element: Element): boolean {
  return element.startsWith('complex');
}

/** The element type of moduli. */
export function realElement(element: Element): Element {
  return element === 'complex<f32>' ? 'f32' : element === 'complex<f64>' ? 'f64' : element;
}

/** A character among the attributes of a call. */
export function letter(name: string, character: string): string {
  return `${name} = ${character.charCodeAt(0)} : ui8`;
}

/** Matrices of a shape, as [what leads, rows, columns]. */
export function matrixParts({ shape }: ValueType): readonly [lead: readonly number[], rows: number, columns: number] {
  return [shape.slice(0, -2), shape.at(-2) as number, shape.at(-1) as number];
}

/** What a routine reports, one number for each matrix. */
export function infoType(lead: readonly number[]): ValueType {
  return { element: 'i32', shape: lead };
}

/** NaN for the matrices of which the routine reports a failure: XLA has no errors. */
export function orNaN(site: StableHloSite, info: Value, values: readonly Value[]): readonly Value[] {
  return values.map((value) => site.apply((status, x) => {
    const { shape } = status.type;
    const isRight = reshape(equal(status, 0) as Operand, [...shape, ...x.type.shape.slice(shape.length).map(() => 1)]) as Operand<Kind, 'bool'>;
    return select(isRight, x, NaN) as Operand;
  }, info, value)[0] as Value);
}

const failure = 'where LAPACK reports a failure the results are NaN: XLA has no errors';

/** An operation by calls of LAPACK. */
export function byLapack(routines: string, toStableHlo: NativeRole['toStableHlo'], further: readonly string[] = []): NativeRole {
  return { becomes: `custom calls of ${routines}`, platforms: ['cpu'], caveats: [failure, ...further], toStableHlo };
}

