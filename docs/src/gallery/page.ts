import { drawPlot, type Picture, pixelsOf } from '@tf/example-gallery/pictures';
import type { GalleryNumber, Scale } from '@tf/example-gallery';
import { element } from '../playground/element.ts';
import type { GalleryMessage, GalleryRequest } from './messages.ts';
import { claimText, knownText, valueText } from './shown.ts';

/** Puts buttons, progress and live pictures of one example into an element of its page. What it gives ends what runs. */
export function mountGalleryRun(root: HTMLElement, name: string, data: string): () => void {
  const bar = element('progress', { max: '1', value: '0', 'aria-label': 'Progress', hidden: true });
  const status = element('span', { class: 'tf-status', role: 'status' });
  const pictures = element('div', { class: 'tf-pictures' });
  const found = element('div', { class: 'tf-scroll' });
  const buttons = (['quick', 'full'] as const).map((scale) => element('button', { type: 'button', class: `tf-button${scale === 'quick' ? ' tf-primary' : ''}`, onclick: () => start(scale) }, scale === 'quick' ? 'Run the small size' : 'Run in full'));
  const stop = element('button', { type: 'button', class: 'tf-button', disabled: true, onclick: () => end('Stopped') }, 'Stop');
  let worker: Worker | undefined;
  const end = (text: string): void => {
    worker?.terminate();
    worker = undefined;
    stop.disabled = true;
    for (const button of buttons) button.disabled = false;
    bar.hidden = true;
    status.textContent = text;
    root.dataset['state'] = 'idle';
  };
  const take = (message: GalleryMessage): void => {
    if (message.kind === 'failure') return end(`${message.name}: ${message.message}`);
    if (message.kind === 'result') {
      showPictures(pictures, message.result.pictures);
      found.replaceChildren(numbersTable(message.result.numbers));
      return end(`Done in ${message.seconds.toFixed(1)} s`);
    }
    const { label, done, total, pictures: soFar = [] } = message.progress;
    status.textContent = `${label} (${done} of ${total})`;
    bar.value = total > 0 ? done / total : 0;
    showPictures(pictures, soFar);
  };
  const start = (scale: Scale): void => {
    end('Starting …');
    pictures.replaceChildren();
    found.replaceChildren();
    stop.disabled = false;
    for (const button of buttons) button.disabled = true;
    bar.hidden = false;
    bar.value = 0;
    root.dataset['state'] = 'running';
    worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data: message }: MessageEvent<GalleryMessage>) => take(message);
    worker.onerror = (event) => end(event.message || 'The worker could not be started.');
    worker.postMessage({ name, scale, data } satisfies GalleryRequest);
  };
  root.replaceChildren(element('div', { class: 'tf-toolbar', role: 'group', 'aria-label': 'Run the example' }, ...buttons, stop, bar, status), pictures, found);
  root.dataset['state'] = 'idle';
  return () => end('Stopped');
}

/** Where there is no room for a wide picture, its text would be too small: it is drawn anew for that width. */
function widthIn({ clientWidth }: HTMLElement): number {
  return clientWidth > 0 && clientWidth < 560 ? Math.max(280, clientWidth - 18) : 760;
}

/** Each picture in its place: a later one replaces the earlier one of its name. */
function showPictures(parent: HTMLElement, pictures: readonly Picture[]): void {
  for (const picture of pictures) {
    const figure = element('figure', { class: 'tf-plot', 'data-name': picture.name }, picture.kind === 'plot' ? drawPlot(picture, { document, width: widthIn(parent) }) : canvasOf(picture));
    const earlier = parent.querySelector(`[data-name="${CSS.escape(picture.name)}"]`);
    if (earlier === null) parent.append(figure);
    else earlier.replaceWith(figure);
  }
}

function canvasOf(picture: Extract<Picture, { readonly kind: 'image' }>): HTMLCanvasElement {
  const { width, height, bytes } = pixelsOf(picture);
  const canvas = element('canvas', { width: String(width), height: String(height), role: 'img', 'aria-label': [picture.title, ...picture.explanation].join(' ') });
  canvas.getContext('2d')?.putImageData(new ImageData(bytes, width), 0, 0);
  return canvas;
}

function numbersTable(numbers: readonly GalleryNumber[]): HTMLTableElement {
  const row = (tag: 'th' | 'td', cells: readonly string[]): HTMLTableRowElement => element('tr', {}, ...cells.map((text) => element(tag, {}, text)));
  return element('table', {}, element('thead', {}, row('th', ['number', 'found', 'known', 'promised'])), element('tbody', {}, ...numbers.map((number) => row('td', [number.what, valueText(number), knownText(number), claimText(number)]))));
}
