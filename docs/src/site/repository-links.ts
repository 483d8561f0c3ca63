/** Links of Markdown that lies in the repository: what has a page goes there, what has none is named. */
import { posix } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';
import { publishedPackages, type PublishedPackage } from './repository.ts';

/** Where a relative link leads from a file of the repository: a page of the site, or a place that only the repository has. */
export type Target = { readonly page: string } | { readonly place: string } | undefined;

/** Undefined for what is no relative link. `file` and the place are paths from the repository's root. */
export function targetOf(file: string, href: string, packages: readonly PublishedPackage[]): Target {
  if (/^(?:[a-z][a-z+.-]*:|\/|#)/i.test(href)) return undefined;
  const [path = '', anchor] = href.split('#');
  const place = posix.normalize(posix.join(posix.dirname(file), path)).replace(/\/$/, '');
  const hash = anchor === undefined ? '' : `#${anchor}`;
  const found = packages.find(({ folder }) => place === folder || place === `${folder}/README.md`);
  if (found !== undefined) return { page: `/${found.page}${hash}` };
  if (place === 'README.md') return { page: `/${hash}` };
  if (place === 'docs' || place.startsWith('docs/')) {
    const page = place.slice('docs'.length).replace(/(^|\/)README\.md$/, '$1').replace(/\.md$/, '');
    return { page: `${/^\/(?:decisions|design|extend|passes)$/.test(page) ? `${page}/` : page || '/'}${hash}` };
  }
  return { place };
}

/** Rewrites the links of every page, by the file that it was written in. */
export function rewriteLinks(markdown: MarkdownRenderer): void {
  const packages = publishedPackages();
  markdown.core.ruler.push('tf-repository-links', ({ tokens, env }) => {
    const { relativePath = '' } = env as { readonly relativePath?: string };
    const owner = packages.find(({ page }) => relativePath === `${page}.md`);
    const file = owner === undefined ? `docs/${relativePath}` : `${owner.folder}/README.md`;
    for (const { children } of tokens) {
      let unlinked = false;
      for (const token of children ?? []) {
        if (token.type === 'link_close' && unlinked) {
          Object.assign(token, { type: 'html_inline', tag: '', content: '</span>' });
          unlinked = false;
        }
        if (token.type !== 'link_open') continue;
        const target = targetOf(file, token.attrGet('href') ?? '', packages);
        if (target === undefined) continue;
        if ('page' in target) token.attrSet('href', target.page);
        else {
          Object.assign(token, { type: 'html_inline', tag: '', content: `<span class="tf-in-repository" title="in the repository: ${target.place}">` });
          unlinked = true;
        }
      }
    }
  });
}
