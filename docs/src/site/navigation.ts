import type { DefaultTheme } from 'vitepress';
import { publishedPackages } from './repository.ts';

const page = (text: string, link: string): DefaultTheme.SidebarItem => ({ text, link });

export const navigation: DefaultTheme.NavItem[] = [
  { text: 'Start', link: '/start' },
  { text: 'Guide', link: '/two-modes', activeMatch: '^/(two-modes|families|derivatives|complex|memory|engines)' },
  { text: 'Playground', link: '/playground' },
];

const groups: DefaultTheme.SidebarItem[] = [
  { text: 'Begin', items: [page('Start in five minutes', '/start'), page('Install', '/install')] },
  {
    text: 'Guide',
    items: [page('Traced and eager', '/two-modes'), page('The families', '/families'), page('Complex numbers', '/complex'), page('Memory', '/memory'), page('Engines', '/engines'), page('Exporting programs', '/export')],
  },
  { text: 'Packages', collapsed: true, items: publishedPackages().map(({ name, page: path }) => page(name, `/${path}`)) },
  {
    text: 'Extend', collapsed: true,
    items: [page('Overview', '/extend/'), page('Write a family', '/extend/write-a-family'), page('Write a kernel', '/extend/write-an-engine-kernel'), page('Write an engine', '/extend/write-an-engine'), page('Test and publish', '/extend/test-and-publish')],
  },
  {
    text: 'Tables', collapsed: true,
    items: [page('Support', '/support'), page('Result types', '/promotion'), page('Accuracy', '/accuracy'), page('Hard matrices', '/hard-matrices')],
  },
];

export const sidebar: DefaultTheme.Sidebar = groups;
