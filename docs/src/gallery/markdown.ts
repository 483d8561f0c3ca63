import type { GalleryNumber } from '@tf/example-gallery';
import { claimText, durationText, knownText, type ShownExample, valueText } from './shown.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('{{', '&#123;&#123;');

function numbersTable(numbers: readonly GalleryNumber[]): string {
  const rows = numbers.map((number) => `| ${[number.what, valueText(number), knownText(number), claimText(number)].map(cell).join(' | ')} |`);
  return ['| number | found | known | promised |', '| --- | --: | --- | --- |', ...rows].join('\n');
}

/** The page of one example. */
export function exampleMarkdown({ name, title, text, seconds, numbers, full, pictures, code }: ShownExample): string {
  return [
    `# ${title}`, text,
    ...pictures.map(({ file, title: caption }) => `![${caption.replaceAll(/[[\]]/g, '')}](/made/gallery/${name}/${file})`),
    '## Run it here', `In a worker of this page, on the WebAssembly engine. The small size takes seconds, the full one ${full === undefined ? 'up to about two minutes' : `about ${durationText(full.seconds)}: what it finds stands below`}.`,
    `<GalleryRun name="${name}" />`,
    '## What it found', `The small size, as this page was built${seconds < 1 ? '' : `, in ${Math.round(seconds)} s`}; \`node_modules/.bin/pnpm gallery ${name}\` in a clone of the repository runs the full one.`,
    numbersTable(numbers),
    ...(full === undefined ? [] : ['## What it finds in full', `Recorded on ${full.recorded} in Node, in ${durationText(full.seconds)}, by \`node_modules/.bin/pnpm gallery ${name}\`.`, numbersTable(full.numbers)]),
    '## The code', ...code.map(({ file, text: source }) => `### ${file}\n\n\`\`\`\`ts\n${source.trimEnd()}\n\`\`\`\``),
  ].join('\n\n');
}

/** The page with all of them. */
export function galleryMarkdown(examples: readonly ShownExample[]): string {
  const cards = examples.map(({ name, title, text, pictures }) => {
    const picture = pictures[0] === undefined ? '' : `\n\n[![${title}](/made/gallery/${name}/${pictures[0].file})](/gallery/${name})`;
    return `## [${title}](/gallery/${name})\n\n${text.slice(0, text.indexOf('. ', 120) + 1) || text}${picture}`;
  });
  return ['# Gallery', 'Problems of people, solved. Each has a known right answer where there is one, is tested against it, and runs on its page.', ...cards].join('\n\n');
}
