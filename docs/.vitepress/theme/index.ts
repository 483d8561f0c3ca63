import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { GalleryRun } from '../../src/theme/gallery-run.ts';
import { Playground } from '../../src/theme/playground.ts';
import './style.css';
import './playground.css';

const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('GalleryRun', GalleryRun);
    app.component('Playground', Playground);
  },
};

export default theme;
