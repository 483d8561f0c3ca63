import { createEditor, type Editor } from './editor.ts';
import { element } from './element.ts';
import { examples } from './examples.ts';
import type { Failure, WorkerMessage } from './messages.ts';
import { OutputView } from './output.ts';
import { WorkerRunner } from './runner.ts';
import { brokenLink, fromHash, toHash } from './share.ts';

const brokenLinkFailure: Failure = Object.freeze({
  name: 'Broken link',
  message: 'The part of the address after # should hold a program, but no whole one can be read from it: something of it was lost on the way.',
  remedy: 'Copy the whole address again, or ask whoever sent it. What stands in the editor is not that program.',
});

/** Puts the playground into an element of a page. What it gives ends the program that runs. */
export async function mountPlayground(root: HTMLElement): Promise<() => void> {
  const page = new PlaygroundPage(root, await fromHash(location.hash));
  const follow = (): void => void page.follow();
  window.addEventListener('hashchange', follow);
  return () => {
    window.removeEventListener('hashchange', follow);
    page.dispose();
  };
}

class PlaygroundPage {
  readonly #root: HTMLElement;
  readonly #editor: Editor;
  readonly #output: OutputView;
  readonly #runner: WorkerRunner;
  readonly #status: HTMLElement = element('span', { class: 'tf-status', role: 'status' });
  readonly #run: HTMLButtonElement = element('button', { type: 'button', class: 'tf-button tf-primary', title: 'Ctrl+Enter', onclick: () => this.#start() }, 'Run');
  readonly #stop: HTMLButtonElement = element('button', { type: 'button', class: 'tf-button', disabled: true, onclick: () => this.#halt() }, 'Stop');
  #hasFailed = false;

  constructor(root: HTMLElement, shared: string | typeof brokenLink | undefined) {
    this.#root = root;
    const share = element('button', { type: 'button', class: 'tf-button', onclick: () => void this.#share() }, 'Share');
    const choice = element('select', { 'aria-label': 'Examples', onchange: () => this.#choose(choice.value) }, ...examples.map(({ name }) => element('option', { value: name }, name)));
    const place = element('div', { class: 'tf-editor' });
    const hint = element('p', { class: 'tf-keys' }, element('kbd', {}, 'Ctrl'), '+', element('kbd', {}, 'Enter'), ' runs · ', element('kbd', {}, 'Esc'), ', then ', element('kbd', {}, 'Tab'), ' leaves the editor');
    this.#editor = createEditor(place, typeof shared === 'string' ? shared : examples[0]!.code, () => this.#start());
    this.#output = new OutputView((failure) => {
      this.#editor.mark(failure);
      this.#editor.focus();
    });
    this.#runner = new WorkerRunner(() => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }), (message) => this.#take(message));
    const toolbar = element('div', { class: 'tf-toolbar', role: 'group', 'aria-label': 'Playground' }, this.#run, this.#stop, share, choice, this.#status);
    root.replaceChildren(toolbar, element('div', { class: 'tf-columns' }, element('div', { class: 'tf-written' }, place, hint), this.#output.root));
    // A program that came with a link waits for its reader.
    if (shared === undefined) this.#start();
    else this.#arrive(shared);
  }

  /** Shows the program of the address, where it holds one. */
  async follow(): Promise<void> {
    const code = await fromHash(location.hash);
    if (code === undefined) return;
    this.#runner.stop();
    this.#output.clear();
    this.#editor.mark();
    if (code !== brokenLink) this.#editor.replace(code);
    this.#arrive(code);
  }

  dispose(): void {
    this.#runner.dispose();
  }

  #take(message: WorkerMessage): void {
    this.#output.take(message);
    // The first failure is the one to mend first.
    if (message.kind === 'failure' && !this.#hasFailed) this.#editor.mark(message.failure);
    this.#hasFailed ||= message.kind === 'failure';
    if (message.kind === 'done') return this.#settle(`${this.#hasFailed ? 'Failed after' : 'Done in'} ${message.milliseconds < 10 ? message.milliseconds.toFixed(1) : Math.round(message.milliseconds)} ms`);
    if (this.#runner.running) return;
    this.#status.textContent = this.#hasFailed ? 'Failed after its end' : 'Something of it still runs';
    this.#stop.disabled = false;
  }

  #arrive(code: string | typeof brokenLink): void {
    this.#settle(code === brokenLink ? 'The link is broken' : 'From a link: read it, then run it');
    if (code === brokenLink) this.#output.fail(brokenLinkFailure);
  }

  #settle(text: string): void {
    this.#status.textContent = text;
    // A button that the focus is on and that can no longer be pressed would lose it.
    if (document.activeElement === this.#stop) this.#run.focus();
    this.#stop.disabled = true;
    this.#root.dataset['state'] = 'idle';
  }

  #start(): void {
    this.#hasFailed = false;
    this.#output.clear();
    this.#editor.mark();
    this.#status.textContent = 'Running …';
    this.#stop.disabled = false;
    this.#root.dataset['state'] = 'running';
    this.#runner.run({ kind: 'run', code: this.#editor.text(), width: this.#output.width });
  }

  #halt(): void {
    this.#runner.stop();
    this.#output.note('Stopped.');
    this.#settle('Stopped');
  }

  async #share(): Promise<void> {
    history.replaceState(history.state, '', await toHash(this.#editor.text()));
    const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
    this.#status.textContent = copied === true ? 'Link copied' : 'The link is in the address bar';
  }

  #choose(name: string): void {
    const chosen = examples.find((example) => example.name === name);
    if (chosen === undefined) return;
    if (this.#runner.running) this.#halt();
    this.#editor.replace(chosen.code);
    history.replaceState(history.state, '', location.pathname);
    this.#start();
  }
}
