import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import { figuresOf } from './figures.ts';
import type { Report } from './report.ts';

const colours: Readonly<Record<string, string>> = {
  'tf traced': '#1f5fa8', 'tf eager': '#4fa3d9', 'tf native': '#0b3a6b', 'tf native eager': '#2e7fb8', 'peak of wasm': '#bbbbbb',
  'jax-js': '#c8443c', tfjs: '#e07b00', 'numpy-ts': '#9b4fc9', 'ml-matrix': '#7a5c3e', 'js-pytorch': '#d8619f',
  numpy: '#067a78', jax: '#3f9b4f', torch: '#555555',
};

interface Point {
  readonly workload: string;
  readonly contender: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** The medians of a group, on a logarithmic scale, with a line from the noise below to the noise above. */
export function drawGroup(group: string, report: Report): string {
  const { rows, machine, date } = report;
  if (rows.some(({ series }) => series !== undefined)) return drawSeries(group, report);
  const points = rows.filter(({ outcome }) => outcome === 'measured').map((row): Point => {
    const { median, deviation } = figuresOf(row, rows);
    return { workload: row.workload, contender: row.contender, value: median, low: median / (1 + deviation), high: median * (1 + deviation) };
  });
  const names = [...new Set(points.map(({ workload }) => workload))];
  const contenders = [...new Set(points.map(({ contender }) => contender))];
  const unit = [...new Set(rows.map((row) => row.unit))].join(' or ');
  // Room for the longest name, at some 7 units a character.
  const margins = { top: 84, left: Math.max(270, 24 + 7 * Math.max(0, ...names.map(({ length }) => length))) };
  const columns = 5;
  const legendAt = (at: number): readonly [number, number] => [16 + (at % columns) * 150, 50 + 18 * Math.floor(at / columns)];
  const top = margins.top + 18 * Math.floor((contenders.length - 1) / columns);
  const { document } = parseHTML('<html><body></body></html>');
  const drawn = Plot.plot({
    document,
    width: 530 + margins.left,
    height: top + 56 + 30 * Math.max(1, names.length),
    marginLeft: margins.left,
    marginRight: 24,
    marginTop: top,
    marginBottom: 44,
    style: { fontFamily: 'system-ui, "Segoe UI", Helvetica, Arial, sans-serif', fontSize: '12px', background: 'white' },
    x: { type: 'log', inset: 10, label: `${unit} (logarithmic; ${unit === 'GFLOP/s' ? 'more' : 'less'} is better)`, labelAnchor: 'center', labelArrow: 'none', grid: true, tickFormat: '~g' },
    y: { domain: names, label: null, grid: true },
    color: { domain: contenders, range: contenders.map((name) => colours[name] ?? '#000000') },
    marks: [
      Plot.ruleY(points, { y: 'workload', x1: 'low', x2: 'high', stroke: 'contender', strokeWidth: 3, strokeOpacity: 0.5 }),
      Plot.dot(points, { y: 'workload', x: 'value', fill: 'contender', r: 5, stroke: 'white', className: 'medians' }),
      text(`${group}: median of each contender, one thread`, 16, 22, 15),
      text(`${machine.cpu}, Node ${machine.node}, ${date.slice(0, 10)}`, 16, 38, 11),
      ...contenders.flatMap((name, at) => {
        const [x, y] = legendAt(at);
        return [legendDot(colours[name] ?? '#000000', x + 5, y + 8), text(name, x + 16, y + 12, 12)];
      }),
    ],
  } as Plot.PlotOptions);
  return svgText(drawn);
}

/** The medians of each series and contender over what grows, both on logarithmic scales. */
function drawSeries(group: string, { rows, machine, date }: Report): string {
  const points = rows.filter(({ outcome, series }) => outcome === 'measured' && series !== undefined).map((row) => ({ line: `${row.series!.name}: ${row.contender}`, at: row.series!.at, value: figuresOf(row, rows).median }));
  const lines = [...new Set(points.map(({ line }) => line))];
  const top = 64 + 18 * lines.length;
  const { document } = parseHTML('<html><body></body></html>');
  const shades = Plot.scale({ color: { type: 'ordinal', domain: lines, scheme: 'tableau10' } } as Plot.PlotOptions);
  const shadeOf = (line: string): string => String(shades?.apply(line));
  return svgText(Plot.plot({
    document,
    width: 800,
    height: top + 420,
    marginLeft: 70,
    marginRight: 24,
    marginTop: top,
    marginBottom: 44,
    style: { fontFamily: 'system-ui, "Segoe UI", Helvetica, Arial, sans-serif', fontSize: '12px', background: 'white' },
    x: { type: 'log', label: 'operations, elements or matrices', labelAnchor: 'center', labelArrow: 'none', grid: true, tickFormat: '~g' },
    y: { type: 'log', label: 'ms', labelArrow: 'none', grid: true, tickFormat: '~g' },
    marks: [
      Plot.line(points, { x: 'at', y: 'value', z: 'line', stroke: ({ line }: { readonly line: string }) => shadeOf(line), strokeWidth: 2 }),
      Plot.dot(points, { x: 'at', y: 'value', fill: ({ line }: { readonly line: string }) => shadeOf(line), r: 4, stroke: 'white', className: 'medians' }),
      text(`${group}: how cost grows, medians, one thread`, 16, 22, 15),
      text(`${machine.cpu}, Node ${machine.node}, ${date.slice(0, 10)}`, 16, 38, 11),
      ...lines.flatMap((line, at) => [legendDot(shadeOf(line), 21, 58 + 18 * at), text(line, 32, 62 + 18 * at, 12)]),
    ],
  } as Plot.PlotOptions));
}

function svgText(drawn: ReturnType<typeof Plot.plot>): string {
  const svg = drawn.tagName.toLowerCase() === 'svg' ? drawn : (drawn.querySelector('svg') as Element);
  svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  return `${svg.outerHTML}\n`;
}

/** Text at a place in pixels, which no scale moves. */
function text(words: string, x: number, y: number, size: number): Plot.Markish {
  return (_index, _scales, _channels, _dimensions, context) => {
    const element = context.ownerSVGElement.ownerDocument.createElementNS('http://www.w3.org/2000/svg', 'text');
    Object.entries({ x, y, 'font-size': size, 'text-anchor': 'start', fill: 'black' }).forEach(([name, value]) => element.setAttribute(name, String(value)));
    element.textContent = words;
    return element as unknown as SVGElement;
  };
}

function legendDot(fill: string, x: number, y: number): Plot.Markish {
  return (_index, _scales, _channels, _dimensions, context) => {
    const element = context.ownerSVGElement.ownerDocument.createElementNS('http://www.w3.org/2000/svg', 'circle');
    Object.entries({ cx: x, cy: y, r: 5, fill }).forEach(([name, value]) => element.setAttribute(name, String(value)));
    return element as unknown as SVGElement;
  };
}
