import { createEditor } from './editor.ts';
import { element } from './element.ts';
import { examples } from './examples.ts';
import type { Failure } from './messages.ts';
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
  const shared = await fromHash(location.hash);
  const run = element('button', { type: 'button', class: 'tf-button tf-primary', title: 'Ctrl+Enter', onclick: () => start() }, 'Run');
  const stop = element('button', { type: 'button', class: 'tf-button', disabled: true, onclick: () => halt() }, 'Stop');
  const share = element('button', { type: 'button', class: 'tf-button', onclick: () => void link() }, 'Share');
  const status = element('span', { class: 'tf-status', role: 'status' });
  const choice = element('select', { 'aria-label': 'Examples', onchange: () => choose() }, ...examples.map(({ name }) => element('option', { value: name }, name)));
  const place = element('div', { class: 'tf-editor' });
  const editor = createEditor(place, typeof shared === 'string' ? shared : examples[0]!.code, () => start());
  const output = new OutputView((failure) => {
    editor.mark(failure);
    editor.focus();
  });
  let hasFailed = false;
  const runner = new WorkerRunner(() => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }), (message) => {
    output.take(message);
    // The first failure is the one to mend first.
    if (message.kind === 'failure' && !hasFailed) editor.mark(message.failure);
    hasFailed ||= message.kind === 'failure';
    if (message.kind === 'done') return settle(`${hasFailed ? 'Failed after' : 'Done in'} ${message.milliseconds < 10 ? message.milliseconds.toFixed(1) : Math.round(message.milliseconds)} ms`);
    if (runner.running) return;
    status.textContent = hasFailed ? 'Failed after its end' : 'Something of it still runs';
    stop.disabled = false;
  });
  const settle = (text: string): void => {
    status.textContent = text;
    stop.disabled = true;
    root.dataset['state'] = 'idle';
  };
  const start = (): void => {
    hasFailed = false;
    output.clear();
    editor.mark();
    status.textContent = 'Running …';
    stop.disabled = false;
    root.dataset['state'] = 'running';
    runner.run({ kind: 'run', code: editor.text(), width: output.width });
  };
  const halt = (): void => {
    runner.stop();
    output.note('Stopped.');
    settle('Stopped');
    run.focus();
  };
  const link = async (): Promise<void> => {
    history.replaceState(history.state, '', await toHash(editor.text()));
    const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
    status.textContent = copied === true ? 'Link copied' : 'The link is in the address bar';
  };
  const choose = (): void => {
    const chosen = examples.find(({ name }) => name === choice.value);
    if (chosen === undefined) return;
    if (runner.running) halt();
    editor.replace(chosen.code);
    history.replaceState(history.state, '', location.pathname);
    start();
  };
  root.replaceChildren(element('div', { class: 'tf-toolbar', role: 'group', 'aria-label': 'Playground' }, run, stop, share, choice, status), element('div', { class: 'tf-columns' }, place, output.root));
  // A program that came with a link waits for its reader.
  const arrived = (code: string | typeof brokenLink): void => {
    settle(code === brokenLink ? 'The link is broken' : 'From a link: read it, then run it');
    if (code === brokenLink) output.fail(brokenLinkFailure);
  };
  const follow = async (): Promise<void> => {
    const code = await fromHash(location.hash);
    if (code === undefined) return;
    if (runner.running) runner.stop();
    output.clear();
    editor.mark();
    if (code !== brokenLink) editor.replace(code);
    arrived(code);
  };
  const onHash = (): void => void follow();
  window.addEventListener('hashchange', onHash);
  if (shared === undefined) start();
  else arrived(shared);
  return () => {
    window.removeEventListener('hashchange', onHash);
    runner.dispose();
  };
}
