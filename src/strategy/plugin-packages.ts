/** The packages of a plugin: those that it imports and those that these depend on, with hashes. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { type InstalledPackage, manifestOf, packageFrom } from './module-resolution.ts';

export type PluginPackage = InstalledPackage & {
  /** SHA-256 over its files, hexadecimal. */
  readonly hash: string;
};

/** Not content of the package: what npm installs inside it, and the history of a linked one. */
const foreign = new Set(['node_modules', '.git']);

/** By folder. What is loaded does not change any more, even if its files do. */
const hashes = new Map<string, Promise<string>>();

/**
 * Returns the packages and all that they depend on, sorted by name, version and folder; without
 * `millrace`, which is no part of a plugin.
 */
export async function withDependencies(
  imported: readonly InstalledPackage[],
): Promise<readonly PluginPackage[]> {
  const found = new Map<string, InstalledPackage>();
  const waiting = [...imported];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (one.name === 'millrace' || found.has(one.folder)) continue;
    found.set(one.folder, one);
    waiting.push(...dependenciesOf(one));
  }
  const packages = await Promise.all(
    [...found.values()].map(async (one) => ({ ...one, hash: await hashOfFolder(one.folder) })),
  );
  return packages.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function keyOf({ name, version, folder }: InstalledPackage): string {
  return `${name}\0${version}\0${folder}`;
}

/** Returns the dependencies that are installed: an optional or a peer one may be absent. */
function dependenciesOf({ folder }: InstalledPackage): readonly InstalledPackage[] {
  const { dependencies, optionalDependencies, peerDependencies } = manifestOf(folder) ?? {};
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
    .map((name) => packageFrom(name, folder))
    .filter((one) => one !== undefined);
}

function hashOfFolder(folder: string): Promise<string> {
  const known = hashes.get(folder) ?? hashFolder(folder);
  hashes.set(folder, known);
  return known;
}

async function hashFolder(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((file) => !foreign.has(file.split('/')[0] as string))
    .sort();
  const hash = createHash('sha256');
  for (const file of files) addFile(hash, file, await readFile(join(folder, file)));
  return hash.digest('hex');
}

/** Adds a file to a hash, so that no two lists of files give the same bytes. */
export function addFile(
  hash: ReturnType<typeof createHash>,
  name: string,
  bytes: Uint8Array,
): void {
  hash.update(`${name}\0${bytes.length}\0`).update(bytes);
}
