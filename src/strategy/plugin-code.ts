/**
 * The code of a plugin: its own files, which are its module and what that imports by path inside
 * the project, and the packages that these import. It is read, not run.
 *
 * Invariant: whatever the plugin can load is in its hash, is part of Millrace or of Node, or is
 * refused with a {@link ConfigError}.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { basename, dirname, extname, join, relative, sep } from 'node:path';
import type { PluginsFrom } from '../domain/bot-settings.ts';
import { ConfigError } from '../domain/errors.ts';
import { projectOf } from '../runtime/paths.ts';
import {
  fileByPath,
  type InstalledPackage,
  isByPath,
  manifestOf,
  packageAround,
  packageFrom,
  packageNameIn,
} from './module-resolution.ts';
import { isTypeScript, type ModuleSource, readModule } from './module-source.ts';
import { addFile, type PluginPackage, withDependencies } from './plugin-packages.ts';
import type { PluginPlace } from './plugin-place.ts';
import { siblingOf } from './sibling-file.ts';

export type PluginSource = Omit<ModuleSource, 'isModule'> & {
  /** What it imports of Millrace's own files. */
  readonly ours: readonly OurImport[];
};

type OurImport = { readonly specifier: string; readonly file: string; readonly line: number };

export type PluginCode = {
  /** Real path of its module. */
  readonly file: string;
  /** Real paths of all files of its own. */
  readonly files: readonly string[];
  /** Those with code, its module first. */
  readonly sources: readonly PluginSource[];
  /** The packages that they import, and those that these depend on. */
  readonly packages: readonly PluginPackage[];
  /** SHA-256 over its own files and, of each package, name, version and files; hexadecimal. */
  readonly hash: string;
};

/** Of a plugin that is given as an object, as in tests. */
export const noCode: PluginCode = { file: '', files: [], sources: [], packages: [], hash: '' };

/** They only compute, so that every plugin may import them. */
const freePackages = ['decimal.js', 'rxjs', 'zod'] as const;

/** The folder of Millrace's own code. */
const millrace = join(import.meta.dirname, '..') + sep;
const inModules = `${sep}node_modules${sep}`;
const endings = ['.ts', '.mts', '.js', '.mjs'];

/** Reads the code of the plugin; `allowed` are the packages that its settings allow. */
export async function readPluginCode(
  place: PluginPlace,
  allowed: PluginsFrom['packages'],
): Promise<PluginCode> {
  return new PluginReader(place, allowed).read();
}

class PluginReader {
  readonly #place: PluginPlace;
  readonly #allowed: PluginsFrom['packages'];
  /** By real path, in the order in which they were found. */
  readonly #sources = new Map<string, PluginSource>();
  readonly #data = new Map<string, Uint8Array>();
  readonly #packages: InstalledPackage[] = [];

  constructor(place: PluginPlace, allowed: PluginsFrom['packages']) {
    this.#place = place;
    this.#allowed = allowed;
  }

  async read(): Promise<PluginCode> {
    const { file } = this.#place;
    await this.#readFile(file, file);
    const packages = await withDependencies(this.#packages);
    const sources = [...this.#sources.values()];
    const files = [...this.#sources.keys(), ...this.#data.keys()];
    return { file, files, sources, packages, hash: this.#hash(packages) };
  }

  async #readFile(file: string, from: string): Promise<void> {
    if (this.#sources.has(file) || this.#data.has(file)) return;
    if (extname(file) === '.json') {
      this.#data.set(file, await readFile(file));
      return;
    }
    refuseKind(file, from);
    const { isModule, ...source } = await readModule(file);
    refuseCommonJs(file, isModule, source.text);
    const ours: OurImport[] = [];
    this.#sources.set(file, { ...source, ours });
    for (const { specifier, line } of source.imports) {
      const at = `${file}:${line}: imports ${specifier}`;
      if (specifier === undefined || /^#|^(?!file:|node:)\w+:/u.test(specifier))
        throw new ConfigError(
          `${file}:${line}: a plugin may import only by a path or by the name of a package, as a ` +
            'plain text, so that its hash covers what it imports',
        );
      if (isBuiltin(specifier)) continue;
      if (!isByPath(specifier)) this.#addNamed(packageNameIn(specifier), file, at);
      else {
        const target = fileByPath(specifier, file);
        if (target === undefined) throw new ConfigError(missingText(specifier, file, at));
        if (target.startsWith(millrace)) ours.push({ specifier, file: target, line });
        else if (this.#isOwn(target)) await this.#readFile(target, at);
        else this.#addByPath(target, at);
      }
    }
  }

  #isOwn(file: string): boolean {
    const { root } = this.#place;
    const inside = file.startsWith(root + sep) ? file.slice(root.length) : undefined;
    return inside !== undefined && !inside.includes(inModules);
  }

  #addNamed(name: string, file: string, at: string): void {
    const project = projectOf(dirname(file)) ?? dirname(file);
    const isOwn = manifestOf(project)?.name === name;
    if (isOwn && name !== 'millrace')
      throw new ConfigError(`${at}, which is this package itself: import its files by their path`);
    const found = packageFrom(name, dirname(file));
    if (found === undefined && !isOwn) {
      const allow = this.#isAllowed(name) ? '' : `, and ${this.#allowText(name)}`;
      throw new ConfigError(
        `${at}, of a package that is not installed: npm install ${name} in ${project}${allow}`,
      );
    }
    if (found !== undefined) this.#add(found, at);
  }

  #addByPath(file: string, at: string): void {
    const found = file.includes(inModules) ? packageAround(dirname(file)) : undefined;
    if (found === undefined)
      throw new ConfigError(
        `${at}, which is ${file}, outside the project ${this.#place.root}: move it into the ` +
          'project, or make a package of it and install that',
      );
    this.#add(found, at);
  }

  #add(found: InstalledPackage, at: string): void {
    const { name } = found;
    if (!this.#isAllowed(name))
      throw new ConfigError(
        `${at}, of a package that the settings do not allow: ${this.#allowText(name)}; ` +
          `without that allowed are millrace, ${freePackages.join(', ')}`,
      );
    if (name === 'millrace' || ourCopyOf(name)?.folder === found.folder) return;
    if (name === 'rxjs') throw new ConfigError(`${at}: ${otherRxjsText(found)}`);
    this.#packages.push(found);
  }

  #isAllowed(name: string): boolean {
    const free: readonly string[] = ['millrace', ...freePackages];
    return free.includes(name) || this.#allowed === 'any' || this.#allowed.includes(name);
  }

  #allowText(name: string): string {
    const known = this.#allowed === 'any' ? [] : this.#allowed;
    return `write packages: [${[...known, name].join(', ')}] in the settings`;
  }

  #hash(packages: readonly PluginPackage[]): string {
    const folder = dirname(this.#place.file);
    const files = new Map(this.#data);
    for (const { file, bytes } of this.#sources.values()) files.set(file, bytes);
    const hash = createHash('sha256');
    for (const file of [...files.keys()].sort())
      addFile(hash, relative(folder, file).split(sep).join('/'), files.get(file) as Uint8Array);
    for (const one of packages) hash.update(`${one.name}\0${one.version}\0${one.hash}\0`);
    return hash.digest('hex');
  }
}

function missingText(specifier: string, file: string, at: string): string {
  const near = siblingOf(specifier, dirname(file));
  return `${at}, which is no file${near === undefined ? '' : `; did you mean ${near}?`}`;
}

/** Returns the copy of a package that Millrace itself runs with. */
function ourCopyOf(name: string): InstalledPackage | undefined {
  const isShared = freePackages.some((one) => one === name);
  return isShared ? packageFrom(name, import.meta.dirname) : undefined;
}

/** Timers of another copy of RxJS would not run on the engine's time, and nothing would tell. */
function otherRxjsText({ version, folder }: InstalledPackage): string {
  const ours = ourCopyOf('rxjs');
  return (
    `${version} of ${folder} is another copy than Millrace's (${ours?.version} of ` +
    `${ours?.folder}): its timers do not run on the engine's time: ` +
    `npm install rxjs@${ours?.version}, and then npm dedupe`
  );
}

function refuseKind(file: string, from: string): void {
  const ending = extname(file);
  if (ending === '.cjs' || ending === '.cts') throw commonJs(file, `its name ends with ${ending}`);
  if (!endings.includes(ending)) {
    throw new ConfigError(
      `${from === file ? `the plugin ${file}` : `${from}, which`} is no module: allowed are ` +
        `files that end with ${endings.join(', ')} or .json`,
    );
  }
  if (isTypeScript(file) && file.includes(inModules)) {
    throw new ConfigError(
      `${file}: TypeScript inside node_modules, where Node does not remove types: ` +
        'the package must contain compiled JavaScript (tsc)',
    );
  }
}

const ofCommonJs = /\brequire\s*\(|\bmodule\.exports\b/u;

/** Node takes a file without signs of an ES module for CommonJS unless package.json says more. */
function refuseCommonJs(file: string, isModule: boolean, text: string): void {
  if (/\.m[jt]s$/u.test(file)) return;
  const project = projectOf(dirname(file));
  const type = project === undefined ? undefined : manifestOf(project)?.type;
  const manifest = join(project ?? '', 'package.json');
  if (type === 'commonjs') throw commonJs(file, `${manifest} says "type": "commonjs"`);
  // A module without import and export runs, but `require` in it would end in advice of Node that
  // leads to CommonJS.
  if (isModule || (type === 'module' && !ofCommonJs.test(text))) return;
  throw commonJs(file, 'it has no import and no export');
}

function commonJs(file: string, why: string): ConfigError {
  const renamed = /\.c[jt]s$/u.test(file) ? `, in ${basename(file).replace(/\.c/u, '.m')}` : '';
  const cure = why.includes('"type"')
    ? 'write "type": "module" there'
    : 'write it as an ES module: import instead of require, and export default instead of ' +
      `module.exports${renamed}`;
  return new ConfigError(`${file} is CommonJS, because ${why}: ${cure}`);
}
