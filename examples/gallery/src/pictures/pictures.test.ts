import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { logAxis } from './axes.ts';
import type { ImagePicture, PlotPicture } from './picture.ts';
import { pixelsOf } from './pixels.ts';
import { fileOf } from './save.ts';

const plot: PlotPicture = {
  kind: 'plot', name: 'p', title: 'A & B', explanation: ['How to read it.'], legend: [{ text: 'seen', colour: '#123456' }],
  x: { label: 'Time (s)' }, y: logAxis('Error', [1e-3, 1]),
  marks: [
    { mark: 'frame', options: { stroke: '#bbb' } },
    { mark: 'lineY', data: [{ t: 0, e: 1e-3 }, { t: 1, e: 1 }], options: { x: 't', y: 'e', stroke: '#123456', className: 'the-line' } },
  ],
};

describe('a diagram', () => {
  it('becomes an SVG that stands alone, with title, explanation, legend, axes and marks, and survives being sent', () => {
    const { file, content } = fileOf(structuredClone(plot));
    expect(file).toBe('p.svg');
    for (const part of ['xmlns="http://www.w3.org/2000/svg"', 'A &amp; B', 'How to read it.', '● seen', 'Time (s)', 'the-line', '1e-3']) expect(content).toContain(part);
  });
});

describe('a narrow diagram', () => {
  it('breaks title, explanation and legend into lines that it has room for, and makes no text smaller', () => {
    const words = 'a title of many words that no small screen has room for in one line';
    const { content } = fileOf({ ...plot, title: words, explanation: [words, words], legend: [{ text: 'the first of them', colour: '#111' }, { text: 'the second of them', colour: '#222' }, { text: 'the third of them', colour: '#333' }] }, 330);
    const texts = [...String(content).matchAll(/<text ([^>]*font-weight[^>]*)>([^<]*)</g)].map(([, attributes = '', text = '']) => {
      const number = (name: string): number => Number(new RegExp(`(?:^| )${name}="([\\d.]+)"`).exec(attributes)?.[1]);
      return { x: number('x'), y: number('y'), size: number('font-size'), text };
    });
    expect(texts.length).toBeGreaterThan(8);
    for (const { x, size, text } of texts) expect(x + 0.5 * size * text.length).toBeLessThan(330);
    expect(texts.every(({ size }) => size >= 12)).toBe(true);
    expect(new Set(texts.map(({ x, y }) => `${x} ${y}`)).size).toBe(texts.length);
    expect(texts.filter(({ size }) => size === 18).map(({ text }) => text).join(' ')).toBe(words);
    expect(String(content)).toContain('viewBox="0 0 330 ');
  });
});

describe('a logarithmic axis', () => {
  it('has its ticks at powers of ten around what is there, and few of them', () => {
    expect(logAxis('e', [2e-5, 0, NaN, 0.5]).ticks).toEqual([1e-4, 1e-3, 1e-2, 1e-1]);
    expect((logAxis('e', [1e-60, 1]).ticks as readonly number[]).length).toBeLessThan(14);
    expect(logAxis('e', []).domain?.every(Number.isFinite)).toBe(true);
  });
});

describe('images', () => {
  const image = (values: readonly number[]): ImagePicture => ({ kind: 'image', name: 'i', title: '', explanation: [], images: [{ label: 'one', width: 2, height: 1, values: Float64Array.from(values) }] });

  it('become pixels: grey or coloured, kept between black and full', () => {
    const { width, height, bytes } = pixelsOf(image([0, 2]));
    expect([width, height]).toEqual([512, 256]);
    expect([...bytes.subarray(0, 4), ...bytes.subarray(-4)]).toEqual([0, 0, 0, 255, 255, 255, 255, 255]);
    expect([...pixelsOf(image([1, 0, 0, 0, 0, 1])).bytes.subarray(0, 4)]).toEqual([255, 0, 0, 255]);
    expect(() => pixelsOf(image([1, 0, 0]))).toThrow('one has 3 values for 2 × 1 pixels');
  });

  it('become a PNG file whose stream holds the rows', () => {
    const { file, content } = fileOf(image([0, 1]));
    const bytes = Buffer.from(content as Uint8Array);
    expect(file).toBe('i.png');
    expect(bytes.toString('latin1', 1, 4)).toBe('PNG');
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([512, 256]);
    const length = bytes.readUInt32BE(33);
    expect(bytes.toString('latin1', 37, 41)).toBe('IDAT');
    const rows = inflateSync(bytes.subarray(41, 41 + length));
    expect(rows.length).toBe(256 * (512 * 4 + 1));
    expect([...rows.subarray(0, 5)]).toEqual([0, 0, 0, 0, 255]);
  });
});
