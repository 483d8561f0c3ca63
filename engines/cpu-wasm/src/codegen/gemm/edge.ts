/** Micro tiles at the edges of a result, and where its rows are not contiguous. */
import { call, type Code, get, i32, ifElse, instr, type Local } from '../../encoder/code.ts';
import { FunctionScope } from '../../encoder/function.ts';
import type { ModuleBuilder } from '../../encoder/module.ts';
import type { Blocking } from './blocking.ts';
import type { MicroKernels } from './micro.ts';

/** Positions among the parameters: the micro kernel's own, then these. */
const kernelParameters = { packed: 6, direct: 9 } as const;

/**
 * Adds (the kernel's parameters …, height, width, outColumn, tile): the smallest kernel that covers the tile writes into the
 * result where it fits exactly, and through `tile` otherwise.
 */
export function addEdgeTile(module: ModuleBuilder, blocking: Blocking, kernels: MicroKernels, scatter: number, direct: boolean): number {
  const { bytes, lanes, nr } = blocking;
  const own = direct ? kernelParameters.direct : kernelParameters.packed;
  const scope = new FunctionScope(Array.from({ length: own + 4 }, () => 'i32' as const));
  const kernel = scope.parameters.slice(0, own);
  const [, , , out, outRow, first] = kernel as readonly Local[] as readonly [Local, Local, Local, Local, Local, Local];
  const [height, width, outColumn, tile] = scope.parameters.slice(own) as readonly Local[] as readonly [Local, Local, Local, Local];
  const is = (local: Local, value: number): Code => instr('i32.eq', get(local), i32(value));
  const isContiguous = is(outColumn, bytes);
  const through = (index: number): Code => [
    call(index, ...kernel.map((parameter) => (parameter === out ? get(tile) : parameter === outRow ? i32(nr * bytes) : parameter === first ? i32(1) : get(parameter)))),
    call(scatter, get(tile), get(out), get(height), get(width), get(outRow), get(outColumn), get(first)),
  ];
  const withShape = (rows: number, vectors: number): Code => {
    const index = kernels.of(rows, vectors);
    const isExact = instr('i32.and', isContiguous, instr('i32.and', is(height, rows), is(width, vectors * lanes)));
    return ifElse(isExact, call(index, ...kernel.map(get)), through(index));
  };
  const withRows = (rows: number): Code => ifElse(instr('i32.le_u', get(width), i32(lanes)), withShape(rows, 1), withShape(rows, 2));
  const byHeight = kernels.heights.reduceRight<Code>((taller, rows) => (rows === blocking.mr ? withRows(rows) : ifElse(instr('i32.le_u', get(height), i32(rows)), withRows(rows), taller)), []);
  return module.addFunction(scope, byHeight);
}
