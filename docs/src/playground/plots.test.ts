import * as Plot from '@observablehq/plot';
import { expect, test } from 'vitest';
import type { PlotPart } from './messages.ts';
import { plotParts } from './plots.ts';

const rows = [{ x: 1, y: 2, c: 'a' }, { x: 2, y: 3, c: 'b' }];
const drawing = (parts: readonly PlotPart[]): string => parts.flatMap((part) => (part.kind === 'drawing' ? [part.svg] : [])).at(-1)!;

test('titles, legends and a caption stand beside the drawing', () => {
  const parts = plotParts({ title: 'Two', subtitle: 'of them', caption: 'seen', color: { legend: true }, marks: [Plot.dot(rows, { x: 'x', y: 'y', fill: 'c' })] }, 500);
  expect(parts.map((part) => (part.kind === 'drawing' ? 'drawing' : part.kind === 'legend' ? part.entries.map(({ text }) => text) : `${part.kind}: ${part.text}`))).toEqual(['title: Two', 'subtitle: of them', ['a', 'b'], 'drawing', 'caption: seen']);
  expect(parts.flatMap((part) => (part.kind === 'legend' ? part.entries : [])).every(({ svg }) => svg.startsWith('<svg') && svg.includes('xmlns='))).toBe(true);
});

test('a legend of continuous colours is drawn, though a worker has no canvas of a page', () => {
  const parts = plotParts({ color: { legend: true }, marks: [Plot.dot(rows, { x: 'x', y: 'y', fill: 'x' })] }, 500);
  expect(parts.map(({ kind }) => kind)).toEqual(['drawing', 'drawing']);
  expect((parts[0] as { readonly svg: string }).svg).toContain('data:image/svg+xml,');
});

test('is no wider than there is room, so that its text is not made smaller, of 12 pixels unless the program says another size', () => {
  expect(drawing(plotParts({ width: 900, marks: [Plot.frame()] }, 300))).toContain('viewBox="0 0 300 ');
  expect(drawing(plotParts({ width: 200, marks: [Plot.frame()] }, 300))).toContain('viewBox="0 0 200 ');
  expect(drawing(plotParts({ marks: [Plot.frame()] }, 300))).toMatch(/font-size: ?12px/);
  expect(drawing(plotParts({ style: { fontSize: '9px' }, marks: [Plot.frame()] }, 300))).toMatch(/font-size: ?9px/);
  expect(drawing(plotParts({ style: 'color: red; font-family: serif', marks: [Plot.frame()] }, 300))).toMatch(/style="[^"]*font-size: ?12px[^"]*color: ?red[^"]*font-family: ?serif/);
});

test('refuses a drawing that would hold up the page, with what to do', () => {
  expect(() => plotParts({ marks: [Plot.text(['x'.repeat(5_000_000)], { frameAnchor: 'middle' })] }, 300)).toThrow(/MB of drawing[\s\S]*fewer marks/);
});
