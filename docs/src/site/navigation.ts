import type { DefaultTheme } from 'vitepress';
import { importName, publishedPackages } from './repository.ts';

const page = (text: string, link: string): DefaultTheme.SidebarItem => ({ text, link });

export const navigation: DefaultTheme.NavItem[] = [
  { text: 'Start', link: '/start' },
  { text: 'Guide', link: '/two-modes', activeMatch: '^/(two-modes|families|derivatives|complex|memory|engines)' },
  { text: 'Gallery', link: '/gallery/', activeMatch: '^/gallery/' },
  { text: 'Playground', link: '/playground' },
  { text: 'Reference', link: '/api/', activeMatch: '^/(api|packages)/' },
];

const groups: DefaultTheme.SidebarItem[] = [
  { text: 'Begin', items: [page('Start in five minutes', '/start'), page('Install', '/install')] },
  {
    text: 'Guide',
    items: [page('Traced and eager', '/two-modes'), page('The families', '/families'), page('Derivatives of decompositions', '/derivatives'), page('Complex numbers', '/complex'), page('Memory', '/memory'), page('Engines', '/engines'), page('Exporting programs', '/export')],
  },
  { text: 'Coming from', items: [page('JAX', '/from-jax'), page('PyTorch', '/from-pytorch'), page('TensorFlow.js', '/from-tfjs')] },
  { text: 'Packages', collapsed: true, items: publishedPackages().map(({ name, page: path }) => page(name, `/${path}`)) },
  {
    text: 'Extend', collapsed: true,
    items: [page('Overview', '/extend/'), page('Write a family', '/extend/write-a-family'), page('Write a kernel', '/extend/write-an-engine-kernel'), page('Write an engine', '/extend/write-an-engine'), page('Test and publish', '/extend/test-and-publish')],
  },
  {
    text: 'Tables', collapsed: true,
    items: [page('Support', '/support'), page('Result types', '/promotion'), page('Accuracy', '/accuracy'), page('Hard matrices', '/hard-matrices'), page('Benchmarks', '/benchmarks')],
  },
];

/** Every entry of every package, from the docstrings. */
const reference: DefaultTheme.SidebarItem[] = [
  { text: 'Reference', items: [page('All packages', '/api/'), ...publishedPackages().flatMap(({ name, entries }) => entries.map((entry) => importName(name, entry.name))).map((name) => page(name, `/api/${name}/`))] },
];

export const sidebar: DefaultTheme.Sidebar = { '/api/': reference, '/': groups };
