import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseHTML } from 'linkedom';

export interface BrokenLink {
  readonly page: string;
  readonly link: string;
  readonly reason: 'no such file' | 'no such anchor';
}

/** Pages of a built site, by their paths. */
export function pagesOf(folder: string, under = ''): readonly string[] {
  return readdirSync(join(folder, under), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(under, entry.name);
    return entry.isDirectory() ? pagesOf(folder, path) : path.endsWith('.html') ? [path] : [];
  });
}

interface PageFacts {
  readonly links: readonly string[];
  readonly anchors: ReadonlySet<string>;
}

function factsOf(html: string): PageFacts {
  const { document } = parseHTML(html);
  const attributes = (selector: string, name: string): readonly string[] => [...document.querySelectorAll(selector)].map((found) => found.getAttribute(name) ?? '');
  return {
    links: [...new Set([...attributes('a[href]', 'href'), ...attributes('img[src]', 'src'), ...attributes('link[rel="stylesheet"]', 'href'), ...attributes('script[src]', 'src')])],
    anchors: new Set([...attributes('[id]', 'id'), ...attributes('a[name]', 'name')]),
  };
}

/** Links of a built site's pages to one another, and what they load: those that lead nowhere. Links to other sites are not followed. */
export function brokenLinks(folder: string): readonly BrokenLink[] {
  const facts = new Map(pagesOf(folder).map((page) => [page, factsOf(readFileSync(join(folder, page), 'utf8'))]));
  return [...facts].flatMap(([page, { links }]) => links.flatMap((link): readonly BrokenLink[] => {
    if (/^(?:[a-z][a-z+.-]*:|\/\/)/i.test(link)) return [];
    const { pathname, hash } = new URL(link, `http://site/${page}`);
    const path = fileOf(folder, decodeURIComponent(pathname).slice(1));
    if (path === undefined) return [{ page, link, reason: 'no such file' }];
    const anchor = decodeURIComponent(hash.slice(1));
    const target = facts.get(path);
    return anchor === '' || target === undefined || target.anchors.has(anchor) ? [] : [{ page, link, reason: 'no such anchor' }];
  }));
}

function fileOf(folder: string, path: string): string | undefined {
  return [path, posix.join(path, 'index.html')].find((candidate) => existsSync(join(folder, candidate)) && statSync(join(folder, candidate)).isFile());
}
