import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import { measurements, type Penguin, speciesNames } from './data.ts';
import { type Grid, margins } from './regions.ts';
import type { Split } from './split.ts';

/** Losses at the steps where they were looked at. */
export interface CurvePoint {
  readonly step: number;
  readonly train: number;
  readonly test: number;
}

export interface Curves {
  readonly traced: readonly CurvePoint[];
  readonly eager: readonly CurvePoint[];
}

/** How many of the eager mode's points are drawn, at most. */
export const ringCount = 24;

export const colours = { Adelie: '#e07b00', Chinstrap: '#9b4fc9', Gentoo: '#067a78' } as const;
export const lineColours = { train: '#1f5fa8', test: '#c8443c' } as const;

const style = { fontFamily: 'system-ui, "Segoe UI", Helvetica, Arial, sans-serif', fontSize: '13px', background: 'white' };
const size = { width: 760, height: 510, marginLeft: 64, marginRight: 24, marginTop: 104, marginBottom: 56 };

/** Training and held-out loss of both modes: lines from the traced one, rings from the eager one on top. */
export function drawLoss({ traced, eager }: Curves, title: string): string {
  const line = (part: 'train' | 'test'): Plot.Markish => Plot.lineY(traced, { x: 'step', y: part, stroke: lineColours[part], strokeWidth: 2.25, className: `traced-${part}` });
  const rings = (part: 'train' | 'test'): Plot.Markish => Plot.dot(thin(eager, ringCount), { x: 'step', y: part, stroke: lineColours[part], fill: 'white', strokeWidth: 1.5, r: 4, className: `eager-${part}` });
  const losses = [...traced, ...eager].flatMap(({ train, test }) => [train, test]);
  const [least, most] = [Math.min(...losses) / 1.15, Math.max(...losses) * 1.15];
  return draw({
    marks: [line('train'), line('test'), rings('train'), rings('test')],
    x: { label: 'Step of gradient descent', labelAnchor: 'center', labelArrow: 'none', labelOffset: 42 },
    y: { type: 'log', domain: [least, most], label: 'Cross-entropy (nats, logarithmic)', labelAnchor: 'center', labelArrow: 'none', labelOffset: 54, grid: true, ticks: niceTicks(least, most), tickFormat: '~g' },
  }, {
    title,
    explanation: ['Lines: traced mode. Rings on them: eager mode, from the same start.'],
    legend: [{ text: 'training part', colour: lineColours.train }, { text: 'held-out part', colour: lineColours.test }],
  });
}

/** 1, 2 and 5 times powers of ten between two positive numbers. */
function niceTicks(least: number, most: number): readonly number[] {
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(least)); power <= Math.log10(most); power++) for (const digit of [1, 2, 5]) ticks.push(Number(`${digit}e${power}`));
  return ticks.filter((tick) => tick >= least && tick <= most);
}

/** At most about `count` points, evenly spread, the first among them. */
export function thin<T>(points: readonly T[], count: number): readonly T[] {
  const every = Math.max(1, Math.ceil(points.length / count));
  return points.filter((_, at) => at % every === 0);
}

/** Which species the network would name at each bill length and depth, and the penguins themselves. */
export function drawRegions(grid: Grid, split: Split, title: string): string {
  const { x, y, columns, rows } = grid;
  const region = (at: number, threshold: number, opacity: number, name: string): Plot.Markish => Plot.contour(margins(grid, at), {
    width: columns, height: rows, x1: x.from, x2: x.to, y1: y.from, y2: y.to, thresholds: [threshold],
    fill: colours[speciesNames[at]!], fillOpacity: opacity, stroke: 'none', className: `${name}-${speciesNames[at]}`,
  });
  const labels = speciesNames.map((_, at) => at);
  return draw({
    marks: [
      labels.map((at) => region(at, 0, 0.16, 'region')),
      labels.map((at) => region(at, certain, 0.2, 'certain')),
      Plot.frame({ stroke: '#bbb' }),
      birds(split.train.penguins, 'training', true),
      birds(split.test.penguins, 'held-out', false),
    ],
    x: { domain: [x.from, x.to], label: axisLabel(0), labelAnchor: 'center', labelArrow: 'none', labelOffset: 42, nice: false },
    y: { domain: [y.from, y.to], label: axisLabel(1), labelAnchor: 'center', labelArrow: 'none', labelOffset: 46, nice: false },
  }, {
    title,
    explanation: [
      'Discs: training penguins. Rings: held-out penguins. Strong colour: odds above 9 : 1 against the runner-up.',
      'Flipper length and body mass on this plane are what a linear fit on the bill foretells.',
    ],
    legend: speciesNames.map((name) => ({ text: name, colour: colours[name] })),
  });
}

function axisLabel(column: 0 | 1): string {
  return `${measurements[column].label} (${measurements[column].unit})`;
}

/** Logit distance to the runner-up at which the odds against it are 9 : 1. */
const certain = Math.log(9);

function birds(penguins: readonly Penguin[], name: string, filled: boolean): Plot.Markish {
  return Plot.dot(penguins, {
    x: ({ measured }: Penguin) => measured[0], y: ({ measured }: Penguin) => measured[1], r: filled ? 2.6 : 3.8, strokeWidth: filled ? 0.5 : 1.8,
    fill: filled ? ({ species }: Penguin) => colours[species] : 'white', stroke: filled ? 'white' : ({ species }: Penguin) => colours[species],
    className: `penguins-${name}`,
  });
}

interface Caption {
  readonly title: string;
  readonly explanation: readonly string[];
  readonly legend: readonly { readonly text: string; readonly colour: string }[];
}

/** Plots into a document of its own and makes the SVG stand alone, with title, explanation and legend inside it. */
function draw(options: Plot.PlotOptions, { title, explanation, legend }: Caption): string {
  const { document } = parseHTML('<!doctype html><html><body></body></html>');
  const plotted = Plot.plot({ ...size, ...options, document, style, color: { type: 'identity' } });
  const svg = plotted.tagName.toLowerCase() === 'svg' ? plotted : plotted.querySelector('svg');
  if (svg === null) throw new Error('penguins: Observable Plot returned no <svg>.');
  svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const write = (x: number, y: number, content: string, attributes: Readonly<Record<string, string>>): void => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', 'text');
    for (const [name, value] of Object.entries({ x: String(x), y: String(y), 'text-anchor': 'start', ...attributes })) element.setAttribute(name, value);
    element.textContent = content;
    svg.append(element as unknown as Node);
  };
  write(size.marginLeft, 28, title, { 'font-size': '18', 'font-weight': '600', fill: '#222' });
  explanation.forEach((line, at) => write(size.marginLeft, 49 + 17 * at, line, { 'font-size': '12', fill: '#555' }));
  const below = 54 + 17 * explanation.length;
  legend.forEach(({ text, colour }, at) => write(size.marginLeft + 120 * at, below, `● ${text}`, { 'font-size': '13', 'font-weight': '600', fill: colour }));
  return svg.outerHTML;
}

/** Writes pictures into a folder and returns their paths. */
export async function savePictures(folder: string, pictures: Readonly<Record<string, string>>): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true });
  const paths: string[] = [];
  for (const [name, svg] of Object.entries(pictures)) {
    const path = join(folder, name);
    await writeFile(path, `${svg}\n`);
    paths.push(path);
  }
  return paths;
}
