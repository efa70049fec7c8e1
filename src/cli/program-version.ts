/** The version of the program that runs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** `root` is the folder of the installation. */
export function programVersion(root: string): string {
  const manifest: { readonly version: string } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  );
  return manifest.version;
}
