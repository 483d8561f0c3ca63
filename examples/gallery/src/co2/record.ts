/** Monthly means of carbon dioxide in the air on Mauna Loa. */
export interface Co2Record {
  /** The middle of each month, in years. */
  readonly times: Float64Array;
  /** Parts per million. */
  readonly values: Float64Array;
}

/** Reads `co2-concentration.csv` of vega-datasets (Scripps Institution of Oceanography, CC BY 4.0): a date and a value in each row. */
export function readRecord(text: string): Co2Record {
  const rows = text.trim().split(/\r?\n/).slice(1).map((row) => row.split(',')).filter(([, value]) => value !== undefined && value.trim() !== '' && Number.isFinite(Number(value)));
  if (rows.length === 0) throw new Error('co2: the record has no row with a date and a number.');
  return {
    times: Float64Array.from(rows, ([date = '']) => {
      const [, year, month] = /^(\d{4})-(\d\d)/.exec(date) ?? [];
      if (year === undefined) throw new Error(`co2: ${JSON.stringify(date)} is no date such as 1958-03-01.`);
      return Number(year) + (Number(month) - 0.5) / 12;
    }),
    values: Float64Array.from(rows, ([, value]) => Number(value)),
  };
}

/** The months from one time to before another. */
export function between({ times, values }: Co2Record, from: number, to: number): Co2Record {
  const isIn = (_: number, at: number): boolean => (times[at] as number) >= from && (times[at] as number) < to;
  return { times: times.filter(isIn), values: values.filter(isIn) };
}
