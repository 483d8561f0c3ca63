/** An element with its attributes and children: `on…` attributes are listeners. */
export function element<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Readonly<Record<string, string | boolean | EventListener>> = {}, ...children: readonly (Node | string)[]): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') made.addEventListener(name.slice(2), value);
    else if (typeof value === 'boolean') made.toggleAttribute(name, value);
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}
