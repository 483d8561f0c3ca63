import { element } from './element.ts';

export interface Tabs {
  readonly root: HTMLElement;
  panel(name: string): HTMLElement;
  select(name: string): void;
}

/** Tabs by the ARIA pattern: arrow keys, Home and End move among them. */
export function createTabs(label: string, names: readonly string[], onSelect: (name: string) => void = () => {}): Tabs {
  const panels = new Map(names.map((name) => [name, element('div', { role: 'tabpanel', id: `panel-${name}`, 'aria-labelledby': `tab-${name}`, tabindex: '0', class: 'tf-panel' })]));
  const show = (name: string, focus = false): void => {
    for (const [other, panel] of panels) {
      const chosen = other === name;
      const button = buttons.get(other)!;
      panel.hidden = !chosen;
      button.setAttribute('aria-selected', String(chosen));
      button.tabIndex = chosen ? 0 : -1;
      if (chosen && focus) button.focus();
    }
  };
  const select = (name: string, focus = false): void => {
    show(name, focus);
    onSelect(name);
  };
  const buttons = new Map(names.map((name) => [name, element('button', { type: 'button', role: 'tab', id: `tab-${name}`, 'aria-controls': `panel-${name}`, onclick: () => select(name) }, name)]));
  const list = element('div', { role: 'tablist', 'aria-label': label, class: 'tf-tabs' }, ...buttons.values());
  list.addEventListener('keydown', (event) => {
    const at = names.findIndex((name) => buttons.get(name)!.tabIndex === 0);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1 + names.length, Home: 0, End: names.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    select(names[to % names.length]!, true);
  });
  const root = element('div', { class: 'tf-tabbed' }, list, ...panels.values());
  show(names[0]!);
  return { root, panel: (name) => panels.get(name)!, select };
}
