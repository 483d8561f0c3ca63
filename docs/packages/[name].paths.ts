import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publishedPackages, repository } from '../src/site/repository.ts';

interface Path {
  readonly params: { readonly name: string };
  readonly content: string;
}

export default {
  paths: (): readonly Path[] => publishedPackages().map(({ page, folder }) => ({
    params: { name: page.slice('packages/'.length) },
    content: readFileSync(join(repository, folder, 'README.md'), 'utf8'),
  })),
};
