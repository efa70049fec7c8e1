/**
 * Places that are unusual: a project in a symbolic link, one whose packages nobody can write, a
 * second copy of Millrace inside a package, and a folder for `init` that is not empty.
 */
import { chownSync, cpSync, lchownSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { faultOf, settingsWith } from './bad-plugins.ts';
import {
  changed,
  type InstalledProject,
  millrace,
  type RunOptions,
  read,
  resultOf,
  succeeded,
  write,
} from './installed-project.ts';

/** The user without rights of its own; root can write what is read-only. */
const nobody = 65_534;

/** Returns the number of inputs that were tried. */
export async function tryPlaces(
  project: InstalledProject,
  hash: unknown,
  faults: string[],
): Promise<number> {
  const tried = [inFullFolder, inLink, withTwoCopies, withReadOnlyPackages];
  for (const attempt of tried) faults.push(...(await attempt(project, hash)));
  return tried.length;
}

/** Returns what is wrong with a backtest that must be the usual one. */
async function unlike(
  what: string,
  project: InstalledProject,
  hash: unknown,
  words: readonly string[] = [],
  options: Partial<RunOptions> = {},
): Promise<string[]> {
  const ended = await millrace(project, ['backtest', ...words, '--json'], options);
  const found = resultOf(ended)?.['hash'];
  return found === hash ? [] : [`${what}: its hash is ${found}, not ${hash}: ${ended.err}`];
}

async function inFullFolder(project: InstalledProject): Promise<string[]> {
  const ended = await millrace(project, ['init', project.folder]);
  const words = [/my böt is not empty, it has /u, /name a new folder/u];
  return [faultOf('init into a folder that is not empty', ended, words) ?? []].flat();
}

async function inLink(project: InstalledProject, hash: unknown): Promise<string[]> {
  const link = join(project.base, 'gelinkter böt');
  symlinkSync(project.folder, link);
  return unlike('a project in a symbolic link', project, hash, [], { cwd: link });
}

/** A package that brings another copy of Millrace has a plugin: accepted, if it fits. */
async function withTwoCopies(project: InstalledProject, hash: unknown): Promise<string[]> {
  const { folder } = project;
  const packed = 'node_modules/packed-quoter';
  const copy = `${packed}/node_modules/millrace`;
  cpSync(join(folder, 'node_modules/millrace'), join(folder, copy), { recursive: true });
  write(folder, `${copy}/package.json`, withVersion(read(folder, `${copy}/package.json`)));
  const manifest = { name: 'packed-quoter', version: '1.0.0', type: 'module', exports: './q.js' };
  write(folder, `${packed}/package.json`, JSON.stringify(manifest));
  write(folder, 'build.json', JSON.stringify({ extends: './tsconfig.json', ...compile }));
  await succeeded(['npx', 'tsc', '--project', 'build.json'], { cwd: folder });
  cpSync(join(folder, 'compiled/quoter.js'), join(folder, packed, 'q.js'));
  write(folder, 'two.yaml', settingsWith(folder, 'packed-quoter'));
  const faults = await unlike('two versions of millrace', project, hash, ['two.yaml']);
  const contract = `${copy}/src/strategy/contract-version.js`;
  write(folder, contract, changed(read(folder, contract), /(?<=contractVersion = )1/u, '2'));
  const words = [/version 2 of the strategy contract/u, /use the same version of the package/u];
  const refused = await millrace(project, ['backtest', 'two.yaml']);
  rmSync(join(folder, packed), { recursive: true });
  return [...faults, faultOf('another contract', refused, words) ?? []].flat();
}

const compile = {
  compilerOptions: {
    ...{
      noEmit: false,
      rootDir: 'strategies',
      outDir: 'compiled',
      allowImportingTsExtensions: false,
    },
  },
  files: ['strategies/quoter.ts'],
  include: [],
};

function withVersion(manifest: string): string {
  return changed(manifest, /"version": "[^"]+"/u, '"version": "9.9.9"');
}

/** Run by a user who owns the project and not its packages; as root, by one without rights. */
async function withReadOnlyPackages(project: InstalledProject, hash: unknown): Promise<string[]> {
  const { folder, base } = project;
  await succeeded(['chmod', '-R', 'a-w,a+rX', 'node_modules'], { cwd: folder });
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    await succeeded(['chmod', 'a+rx', '..'], { cwd: folder });
    give(folder);
    chownSync(base, nobody, nobody);
  }
  const options = isRoot ? { uid: nobody, env: { HOME: base } } : {};
  const faults = await unlike('a read-only node_modules', project, hash, [], options);
  await succeeded(['chmod', '-R', 'u+w', 'node_modules'], { cwd: folder });
  return faults;
}

/** Gives what is in the folder to the user without rights, except the packages. */
function give(folder: string): void {
  lchownSync(folder, nobody, nobody);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.name === 'node_modules') continue;
    if (entry.isDirectory()) give(path);
    else lchownSync(path, nobody, nobody);
  }
}
