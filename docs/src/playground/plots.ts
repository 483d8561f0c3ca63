import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom/worker';
import type { PlotPart } from './messages.ts';

/** Of the text of plots that say nothing of it: the library's 10 pixels are too small for many. */
const fontSize = '12px';
/** Characters: a drawing beyond this would hold up the page that shows it. */
const largestDrawing = 4_000_000;

/** Draws a plot, no wider than there is room: titles, legends and the drawing, each as a part that can be sent. */
export function plotParts(options: Plot.PlotOptions, room: number): readonly PlotPart[] {
  const { document } = parseHTML('<!doctype html><html><body></body></html>');
  const width = Math.min(options.width ?? 640, room);
  const drawn = Plot.plot({ ...options, width, style: styled(options.style), document: withCanvas(document as unknown as Document) });
  const children = drawn.tagName.toLowerCase() === 'svg' ? [drawn] : [...drawn.children];
  return children.flatMap((child) => partsOf(child));
}

function partsOf(child: Element): readonly PlotPart[] {
  const text = child.textContent?.trim() ?? '';
  switch (child.tagName.toLowerCase()) {
    case 'h2': return [{ kind: 'title', text }];
    case 'h3': return [{ kind: 'subtitle', text }];
    case 'figcaption': return [{ kind: 'caption', text }];
    case 'svg': return [{ kind: 'drawing', svg: drawingOf(child) }];
    case 'div': {
      const entries = [...child.children].flatMap((entry) => {
        const swatch = entry.querySelector('svg');
        return swatch === null ? [] : [{ svg: drawingOf(swatch), text: entry.textContent?.trim() ?? '' }];
      });
      return entries.length === 0 ? [] : [{ kind: 'legend', entries }];
    }
    default: return [];
  }
}

/** An image is a document of its own, which says what it is. */
function drawingOf(svg: Element): string {
  svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  svg.setAttribute('xmlns:xlink', 'http://www.w3.org/1999/xlink');
  const text = svg.outerHTML;
  if (text.length <= largestDrawing) return text;
  throw new RangeError(`show: the plot is ${Math.round(text.length / 1e6)} MB of drawing, more than the ${largestDrawing / 1e6} MB that the page shows. Give it fewer marks: every tenth point, or a mean of groups (Plot.binX, Plot.groupX).`);
}

function styled(style: Plot.PlotOptions['style']): NonNullable<Plot.PlotOptions['style']> {
  if (typeof style !== 'string') return { fontSize, ...style };
  // The document of this worker takes no style as one text.
  const given = style.split(';').flatMap((rule) => {
    const [, name, value] = /^\s*([\w-]+)\s*:\s*(.*?)\s*$/.exec(rule) ?? [];
    return name === undefined || value === undefined ? [] : [[name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()), value] as const];
  });
  return { fontSize, ...Object.fromEntries(given) };
}

/** A document whose canvases can hold what a legend of continuous colours paints: a row of rectangles. Workers have no other. */
function withCanvas(document: Document): Document {
  const createElement = document.createElement.bind(document);
  const create = (name: string): HTMLElement => {
    const made = createElement(name);
    if (name !== 'canvas') return made;
    const rectangles: string[] = [];
    const context = {
      fillStyle: '',
      fillRect(x: number, y: number, width: number, height: number): void {
        rectangles.push(`<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${context.fillStyle}"/>`);
      },
    };
    const size = { width: 0, height: 0 };
    const paint = (): string => `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" preserveAspectRatio="none" shape-rendering="crispEdges">${rectangles.join('')}</svg>`)}`;
    return Object.assign(size, { getContext: () => context, toDataURL: paint }) as unknown as HTMLElement;
  };
  return new Proxy(document, {
    get: (target, key) => {
      const value = Reflect.get(target, key, target) as unknown;
      return key === 'createElement' ? create : typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
