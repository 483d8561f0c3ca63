/** Cases as exported programs, which XLA runs on the CPU by one Python process with JAX. */
import { type EngineInfo, isInexact, realPart, type TypedArray } from '@tf/core';
import { einsumStableHlo } from '@tf/einsum/stablehlo';
import { exportStableHlo } from '@tf/export-stablehlo';
import { hasJax, pythonOf, XlaSession } from '@tf/export-stablehlo/node';
import { fftStableHlo } from '@tf/fft/stablehlo';
import { linalgStableHlo } from '@tf/linalg/stablehlo';
import { extractProgram, TracedTensor } from '@tf/traced';
import type { HostValue } from './format.ts';
import { readValue } from './fronts/read.ts';
import { tracedFrontBy } from './fronts/traced.ts';
import type { Verdict } from './judge.ts';
import { judgeTogether } from './run.ts';
import type { Line } from './set.ts';

export const exportName = 'xla-export';

const families = [einsumStableHlo, fftStableHlo, linalgStableHlo];
const info: EngineInfo = { name: exportName, version: '1', dtypes: ['float32', 'float64', 'complex64', 'complex128', 'int32', 'int64', 'bool'], threads: 1, sharedMemory: false, numerics: 'xla' };

export interface ExportedVerdicts {
  readonly verdicts: readonly Verdict[];
  readonly info: EngineInfo;
  readonly runs: number;
}

/** @throws where there is no Python with JAX. */
export async function judgeExported(lines: readonly Line[]): Promise<ExportedVerdicts> {
  if (!hasJax()) throw new Error(`${pythonOf()} has no JAX; TF_XLA_PYTHON names a Python that has it`);
  let runs = 0;
  // Functions keep their algorithms only where XLA forms no fused multiply-adds.
  const session = new XlaSession({ flags: '--xla_cpu_max_isa=AVX' });
  try {
    const front = tracedFrontBy(async (values, data) => {
      const there = values.filter((value): value is TracedTensor => value instanceof TracedTensor);
      const { program } = extractProgram(there as never);
      const exported = exportStableHlo(program, { families });
      runs++;
      const found = await session.run(exported, program.inputs.map(({ name }) => data.get(name as string) as TypedArray));
      // What does not depend on inputs may be on the host already.
      return Promise.all(values.map(async (value): Promise<HostValue | undefined> => (value === undefined ? undefined : value instanceof TracedTensor ? found[there.indexOf(value)] : readValue(value))));
    });
    const [flushed, judgeable] = [lines.filter(hasSubnormals), lines.filter((line) => !hasSubnormals(line))];
    const verdicts = await judgeTogether(judgeable, { ...front, throws: false }, { info });
    return { verdicts: [...verdicts, ...flushed.map(({ id, area, op }): Verdict => ({ id, area, op, optional: false, status: 'unsupported', checks: 0, faults: [], missing: ['subnormal numbers'], matched: {} }))], info, runs };
  } finally {
    await session.close();
  }
}

/** XLA's CPU takes subnormal numbers for zeros. */
function hasSubnormals(line: Line): boolean {
  if ('fault' in line) return false;
  const { inputs, expect } = line.test;
  const wanted = [expect.outputs, expect.grads].flatMap((alternatives) => (alternatives ?? []).flatMap(({ tensors }) => tensors));
  return [...inputs, ...wanted].some((value) => {
    if (value === null || value === undefined || !isInexact(value.dtype)) return false;
    const least = realPart(value.dtype) === 'float32' ? 2 ** -126 : 2 ** -1022;
    return (value.data as Float64Array).some((element) => element !== 0 && Math.abs(element) < least);
  });
}
