/** Hashes the code that a run uses, so that a replay can tell whether it has changed. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { PreparedStrategy } from '../../strategy/loader.ts';

/** Returns SHA-256 digests: `millrace` of our sources, `strategy <id>` of each plugin. */
export async function hashSources(
  plugins: ReadonlyMap<string, PreparedStrategy>,
): Promise<Readonly<Record<string, string>>> {
  const hashes: Record<string, string> = {
    millrace: await hashFolder(join(import.meta.dirname, '..', '..')),
  };
  for (const [id, plugin] of plugins) hashes[`strategy ${id}`] = plugin.code.hash;
  return hashes;
}

async function hashFolder(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    // What the package has besides its code does not change a run.
    .filter((entry) => entry.isFile() && !/\.(?:d\.ts|map)$/u.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const hash = createHash('sha256');
  for (const file of files) {
    hash.update(`${relative(folder, file).split(sep).join('/')}\0`);
    hash.update(await readFile(file));
  }
  return hash.digest('hex');
}
