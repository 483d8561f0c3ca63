/** Every package packed, and all of them installed in one clean folder: what most checks look at. */
import { CleanFolder } from './clean-folder.ts';
import { pack, type PackedPackage } from './packed.ts';

export interface Installed {
  readonly packages: readonly PackedPackage[];
  readonly folder: CleanFolder;
  remove(): void;
}

export async function installPublished(): Promise<Installed> {
  const packed = await pack();
  const folder = new CleanFolder('imports');
  await folder.installPacked(packed.packages);
  return {
    packages: packed.packages,
    folder,
    remove() {
      packed.remove();
      folder.remove();
    },
  };
}
