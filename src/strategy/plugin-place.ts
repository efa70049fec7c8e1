/**
 * Finds the file of a plugin by what `plugin:` in the settings says: the name of a shipped plugin,
 * a path that begins with `./` or `../`, or a package.
 *
 * Invariants: a path stays inside the project of the settings file, by real paths; a shipped plugin
 * inside the folder of the shipped ones. Every failure is a {@link ConfigError} that says what is
 * there.
 */
import { existsSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import type { PluginsFrom } from '../domain/bot-settings.ts';
import { ConfigError } from '../domain/errors.ts';
import { projectOf } from '../runtime/paths.ts';
import { nearestWord } from '../settings/nearest-word.ts';
import { describe } from './json-value.ts';
import { fileInPackage, packageAround, packageFrom, packageNameIn } from './module-resolution.ts';
import { isPluginName } from './plugin-name.ts';
import { namesIn, siblingOf } from './sibling-file.ts';

export type PluginPlace = {
  /** Real path of its module. */
  readonly file: string;
  /** Real path; what the module imports from inside it is the plugin's own code. */
  readonly root: string;
  readonly kind: 'shipped' | 'path' | 'package';
};

/** Where plugins are looked up. */
export type PluginPlaces = {
  /** The folder of the shipped plugins. */
  readonly shipped: string;
  /** The settings file that names them; undefined allows only the names of shipped ones. */
  readonly from: PluginsFrom | undefined;
};

const mainFiles = ['strategy.ts', 'strategy.js'];
const packagePattern = /^(?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*(?:\/[\w./-]+)?$/u;

/** Returns where the plugin is. Throws ConfigError if it does not exist or may not be used. */
export async function placeOfPlugin(plugin: string, places: PluginPlaces): Promise<PluginPlace> {
  const { shipped, from } = places;
  const isPath = /^\.\.?\//u.test(plugin);
  if (isPath && from !== undefined) return atPath(plugin, from.folder);
  if (isPath || !packagePattern.test(plugin)) {
    throw new ConfigError(
      'plugin must be the name of a shipped plugin, a path that begins with ./ or ../, or a ' +
        `package; was ${describe(plugin)}`,
    );
  }
  const ours = await atName(plugin, shipped);
  if (ours !== undefined) return ours;
  const packaged = from && (await inPackage(plugin, from.folder));
  if (packaged !== undefined) return packaged;
  throw new ConfigError(await unknownText(plugin, places));
}

async function atPath(plugin: string, folder: string): Promise<PluginPlace> {
  const given = resolve(folder, plugin);
  const found = await stat(given).catch(() => undefined);
  if (found === undefined) throw new ConfigError(missingText(plugin, folder));
  const project = await realpath(projectOf(folder) ?? folder);
  const target = await realpath(given);
  if (target !== project && !target.startsWith(project + sep)) {
    throw new ConfigError(
      `plugin ${plugin} leads to ${target}, outside the project ${project}: move it into the ` +
        'project, or make a package of it and install that',
    );
  }
  if (found.isFile()) return { file: target, root: project, kind: 'path' };
  const file = await mainFileIn(target);
  if (file === undefined)
    throw new ConfigError(`plugin ${plugin}: the folder ${given} has no ${mainFiles.join(' or ')}`);
  if (!file.startsWith(project + sep))
    throw new ConfigError(`plugin ${plugin} leads to ${file}, outside the project ${project}`);
  return { file, root: project, kind: 'path' };
}

function missingText(plugin: string, folder: string): string {
  const given = resolve(folder, plugin);
  const at = `plugin ${plugin}: there is no ${given}`;
  const near = siblingOf(plugin, folder);
  if (near !== undefined) return `${at}; did you mean ${near}?`;
  if (!existsSync(dirname(given))) return `${at}, because there is no folder ${dirname(given)}`;
  const names = namesIn(dirname(given)).filter((one) => /^[^.]+(?:\.(?:ts|m?js))?$/u.test(one));
  return `${at}; the folder has ${names.slice(0, 10).join(', ') || 'no plugin'}`;
}

/** Returns the plugin of that name in the folder of the shipped ones; undefined without one. */
async function atName(plugin: string, folder: string): Promise<PluginPlace | undefined> {
  const shipped = await realpath(folder).catch((error: unknown) => {
    throw new ConfigError(`strategies folder ${folder} cannot be read`, { cause: error });
  });
  if (!isPluginName(plugin)) return undefined;
  const file = await mainFileIn(join(shipped, plugin));
  if (file === undefined) return undefined;
  if (!file.startsWith(shipped + sep))
    throw new ConfigError(`plugin ${plugin} is outside the strategies folder ${folder}`);
  return { file, root: projectOf(shipped) ?? shipped, kind: 'shipped' };
}

async function mainFileIn(folder: string): Promise<string | undefined> {
  for (const name of mainFiles) {
    const file = await realpath(join(folder, name)).catch(() => undefined);
    if (file !== undefined) return file;
  }
  return undefined;
}

async function inPackage(plugin: string, folder: string): Promise<PluginPlace | undefined> {
  const name = packageNameIn(plugin);
  const importer = join(await realpath(folder), 'settings.yaml');
  if (packageFrom(name, dirname(importer)) === undefined) return undefined;
  try {
    const file = await fileInPackage(plugin, importer);
    const root = packageAround(dirname(file))?.folder ?? dirname(file);
    return { file, root, kind: 'package' };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`plugin ${plugin}: the package ${name} does not provide it: ${why}`, {
      cause: error,
    });
  }
}

async function unknownText(plugin: string, { shipped, from }: PluginPlaces): Promise<string> {
  const entries = await readdir(shipped, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const known = `the shipped plugins are ${names.sort().join(', ') || 'none'}`;
  if (from === undefined) return `plugin ${plugin}: there is no such plugin; ${known}`;
  const near = nearestWord(plugin, names);
  const own = await stat(join(from.folder, plugin)).catch(() => undefined);
  const meant = own === undefined ? near : `./${plugin}`;
  return (
    `plugin ${plugin}: there is no shipped plugin of this name, and no such package in ` +
    `${from.folder}${meant === undefined ? '' : `; did you mean ${meant}?`}; ${known}; a file of ` +
    `your own begins with ./, and a package is installed by: npm install ${packageNameIn(plugin)}`
  );
}
