/** Finds the file and the package of an import, by the same rules as Node. */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, parse } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** A package as it is installed. */
export type InstalledPackage = {
  readonly name: string;
  readonly version: string;
  /** Real path. */
  readonly folder: string;
};

export type Manifest = {
  readonly name?: unknown;
  readonly version?: unknown;
  readonly type?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
};

/** Node's own conditions for an import. */
const conditions = new Set(['node', 'import', 'module-sync', 'node-addons']);

/** Whether an import names a file and not a package. */
export function isByPath(specifier: string): boolean {
  return /^\.{0,2}\/|^file:/u.test(specifier);
}

/** Returns the real path of a file that `importer` imports by path; undefined if it is no file. */
export function fileByPath(specifier: string, importer: string): string | undefined {
  const file = fileURLToPath(new URL(specifier, pathToFileURL(importer)));
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? realpathSync(file) : undefined;
}

/** Returns the real path of what `importer` gets from a package. Throws Node's errors. */
export async function fileInPackage(specifier: string, importer: string): Promise<string> {
  // Only plugins that are packages need it, and loading it takes as long as reading a plugin.
  const { moduleResolve } = await import('import-meta-resolve');
  return fileURLToPath(moduleResolve(specifier, pathToFileURL(importer), conditions));
}

/** Returns the package of which `folder`, a real path, is a part. */
export function packageAround(folder: string): InstalledPackage | undefined {
  for (const one of foldersUpFrom(folder)) {
    // Folders of compiled files have a package.json with nothing but their module type.
    const { name, version } = manifestOf(one) ?? {};
    if (typeof name === 'string' && typeof version === 'string')
      return { name, version, folder: one };
  }
  return undefined;
}

/** Returns the package that a file in `folder` imports by `name`; undefined if not installed. */
export function packageFrom(name: string, folder: string): InstalledPackage | undefined {
  const linked = foldersUpFrom(folder)
    .map((one) => join(one, 'node_modules', name))
    .find((one) => existsSync(one));
  const found = linked === undefined ? undefined : packageAround(realpathSync(linked));
  // The name that it is imported by, which npm lets a project choose.
  return found && { ...found, name };
}

/** Returns the content of `package.json` in `folder`; undefined without that file. */
export function manifestOf(folder: string): Manifest | undefined {
  const file = join(folder, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** Returns the package's name in an import such as `@scope/name/part`. */
export function packageNameIn(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function foldersUpFrom(folder: string): readonly string[] {
  const folders = [folder];
  const { root } = parse(folder);
  for (let one = folder; one !== root && one !== '.'; one = dirname(one))
    folders.push(dirname(one));
  return folders;
}
