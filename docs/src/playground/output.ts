import { drawGraph } from './draw-graph.ts';
import { element } from './element.ts';
import type { Failure, PlotPart, ProgramView, WorkerMessage } from './messages.ts';
import { stepTimeText, timeText } from './step-times.ts';
import { createTabs, type Tabs } from './tabs.ts';

/** What stands between a plot and the edges of its panel. */
const plotFrame = 48;
const tabNames = ['Output', 'Program', 'Graph', 'Steps', 'Kernels'] as const;

/** What a program printed, drew and showed of itself. */
export class OutputView {
  readonly root: HTMLElement;
  readonly #tabs: Tabs;
  readonly #log: HTMLElement;
  readonly #choice: HTMLSelectElement;
  readonly #choiceRow: HTMLElement;
  readonly #views: ProgramView[] = [];
  readonly #onPlace: (failure: Failure) => void;
  #tab: string = tabNames[0];

  constructor(onPlace: (failure: Failure) => void) {
    this.#onPlace = onPlace;
    this.#choice = element('select', { 'aria-label': 'Program to show', onchange: () => this.#render() });
    this.#choiceRow = element('div', { class: 'tf-choice', hidden: true }, this.#choice);
    this.#tabs = createTabs('Results', tabNames, (name) => {
      this.#tab = name;
      this.#render();
    });
    this.#log = element('div', { class: 'tf-log', role: 'log', 'aria-live': 'polite', 'aria-label': 'Output of the program' });
    this.#tabs.panel('Output').append(this.#log);
    this.root = element('section', { class: 'tf-output', 'aria-label': 'Results' }, this.#tabs.root);
    this.root.querySelector('.tf-tabs')!.after(this.#choiceRow);
    this.#render();
  }

  /** Pixels that a plot may be wide. */
  get width(): number {
    return Math.max(260, this.#tabs.panel('Output').clientWidth - plotFrame);
  }

  clear(): void {
    this.#log.replaceChildren();
    this.#views.length = 0;
    this.#choice.replaceChildren();
    this.#tabs.select('Output');
  }

  take(message: WorkerMessage): void {
    if (message.kind === 'print') this.#append(element('pre', { class: `tf-line tf-level-${message.level}` }, message.text));
    if (message.kind === 'table') this.#append(tableOf(message));
    if (message.kind === 'plot') this.#append(plotFigure(message.parts));
    if (message.kind === 'failure') this.fail(message.failure);
    if (message.kind !== 'program') return;
    this.#choice.append(element('option', { value: String(this.#views.length) }, message.view.title));
    if (this.#views.push(message.view) === 1) this.#append(element('p', { class: 'tf-hint' }, 'The tabs Program, Graph, Steps and Kernels show what was inspected.'));
    this.#render();
  }

  note(text: string): void {
    this.#append(element('p', { class: 'tf-hint' }, text));
  }

  fail(failure: Failure): void {
    this.#append(this.#failure(failure));
  }

  #append(node: Node): void {
    this.#log.append(node);
  }

  #failure(failure: Failure): HTMLElement {
    const where = failure.line === undefined ? [] : [element('button', { type: 'button', class: 'tf-place', onclick: () => this.#onPlace(failure) }, `line ${failure.line}`)];
    return element('div', { class: 'tf-failure', role: 'alert' }, element('strong', {}, failure.name), failure.code === undefined ? '' : element('code', {}, failure.code), ...where, element('p', {}, failure.message), ...(failure.remedy === undefined ? [] : [element('p', { class: 'tf-remedy' }, failure.remedy)]));
  }

  #render(): void {
    const view = this.#views[Number(this.#choice.value === '' ? 0 : this.#choice.value)];
    this.#choiceRow.hidden = view === undefined || this.#tab === 'Output';
    const fill = (name: string, ...children: readonly (Node | string)[]): void => this.#tabs.panel(name).replaceChildren(...children);
    if (view === undefined) {
      for (const name of tabNames.slice(1)) fill(name, element('p', { class: 'tf-hint' }, "Nothing was inspected. Write await inspect(f, x) in the program, with import { inspect } from 'playground'."));
      return;
    }
    fill('Program', element('pre', {}, view.text));
    if (this.#tab === 'Graph') fill('Graph', element('div', { class: 'tf-scroll' }, drawGraph(view.graph)));
    fill('Steps', ...stepsOf(view));
    fill('Kernels', ...kernelsOf(view));
  }
}

function tableOf({ columns, rows }: Extract<WorkerMessage, { readonly kind: 'table' }>): HTMLElement {
  const head = element('tr', {}, ...columns.map((name) => element('th', { scope: 'col' }, name)));
  const body = rows.map(([key = '', ...cells]) => element('tr', {}, element('th', { scope: 'row' }, key), ...cells.map((text) => element('td', {}, text))));
  return element('div', { class: 'tf-scroll tf-table' }, element('table', {}, element('thead', {}, head), element('tbody', {}, ...body)));
}

function plotFigure(parts: readonly PlotPart[]): HTMLElement {
  const title = parts.flatMap((part) => (part.kind === 'title' ? [part.text] : [])).join(' ');
  return element('figure', { class: 'tf-plot' }, ...parts.map((part): Node => {
    if (part.kind === 'drawing') return drawingOf(part.svg, title === '' ? 'Plot made by the program' : `Plot: ${title}`);
    if (part.kind === 'caption') return element('figcaption', {}, part.text);
    if (part.kind !== 'legend') return element('p', { class: `tf-plot-${part.kind}` }, part.text);
    return element('ul', { class: 'tf-legend', 'aria-label': 'Legend' }, ...part.entries.map(({ svg, text }) => element('li', {}, drawingOf(svg, ''), text)));
  }));
}

/** As an image it can run nothing and load nothing, whoever wrote the program of a shared link. */
function drawingOf(svg: string, alt: string): HTMLImageElement {
  return element('img', { alt, src: `data:image/svg+xml,${encodeURIComponent(svg)}` });
}

function stepsOf({ steps, time, plan }: ProgramView): readonly Node[] {
  const longest = Math.max(...steps.map((step) => step.time?.time ?? 0), 1e-9);
  const rows = steps.map((step) => element('tr', {},
    element('td', {}, element('code', {}, step.text)),
    element('td', { class: 'tf-time' }, stepTimeText(step.time)),
    element('td', { class: 'tf-bar' }, element('meter', { min: '0', max: '1', value: String((step.time?.isBelow === false ? step.time.time : 0) / longest), 'aria-hidden': 'true' }))));
  return [
    element('p', {}, `A whole run takes ${timeText(time)}. Each step alone, less the cost of a run without steps:`),
    element('div', { class: 'tf-scroll' }, element('table', {}, element('thead', {}, element('tr', {}, element('th', {}, 'step'), element('th', {}, 'time'), element('th', {}))), element('tbody', {}, ...rows))),
    element('details', {}, element('summary', {}, 'The plan as text'), element('pre', {}, plan)),
  ];
}

function kernelsOf({ kernels, wasm }: ProgramView): readonly Node[] {
  return [
    element('p', {}, kernels.length === 0 ? 'The plan has no loops of its own.' : `${kernels.length} ${kernels.length === 1 ? 'loop' : 'different loops'}, in tf's loop language:`),
    ...kernels.map((kernel) => element('pre', {}, kernel)),
    ...(wasm === '' ? [] : [element('details', {}, element('summary', {}, 'The WebAssembly made of the plan'), element('pre', {}, wasm))]),
  ];
}
