import { defineConfig } from 'vitepress';
import { navigation, sidebar } from '../src/site/navigation.ts';
import { adaptPictures } from '../src/site/narrow-pictures.ts';
import { rewriteLinks } from '../src/site/repository-links.ts';

export default defineConfig({
  title: 'tf',
  description: 'Differentiable numerics for TypeScript',
  lang: 'en',
  head: [['link', { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' }]],
  outDir: 'dist',
  cacheDir: '.cache/vitepress',
  rewrites: { 'decisions/README.md': 'decisions/index.md', 'design/README.md': 'design/index.md', 'extend/README.md': 'extend/index.md' },
  // Docstrings write indices in braces, which are no attributes.
  markdown: { config: (markdown) => [rewriteLinks, adaptPictures].forEach((change) => change(markdown)), attrs: { disable: true }, theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' } },
  themeConfig: {
    nav: navigation,
    sidebar,
    outline: { level: [2, 3] },
    search: { provider: 'local' },
  },
  vite: {
    resolve: { conditions: ['@tf/source'] },
    ssr: { resolve: { conditions: ['@tf/source'] } },
    worker: { format: 'es' },
    build: { target: 'es2022', chunkSizeWarningLimit: 4000 },
  },
});
