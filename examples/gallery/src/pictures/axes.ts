import type { AxisData } from './picture.ts';

/** A logarithmic axis around positive values, with its ticks at powers of ten. Values at or below 0 do not count. */
export function logAxis(label: string, values: readonly number[]): AxisData {
  const powers = values.filter((value) => value > 0 && Number.isFinite(value)).map(Math.log10);
  const [least, most] = powers.length === 0 ? [-1, 1] : [Math.min(...powers), Math.max(...powers)];
  const room = Math.max(0.04 * (most - least), 0.1);
  const [from, to] = [least - room, most + room];
  const every = Math.ceil((to - from) / 12);
  const ticks: number[] = [];
  for (let power = Math.ceil(from); power <= to; power++) if (power % every === 0) ticks.push(Number(`1e${power}`));
  return { label, type: 'log', domain: [10 ** from, 10 ** to], ticks, tickFormat: to - from < 1.5 ? '~g' : '~e' };
}
