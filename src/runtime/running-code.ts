/**
 * Records whether code of Millrace or of a plugin is running, and which files are whose. Callers
 * declare it when they enter code, so that no stack has to be read.
 *
 * Invariant: no clock, timer, I/O or randomness, so that the engine may use it.
 */

/** `unknown` in callbacks of promises and timers, which start without a declaration. */
export type CodeOwner = 'millrace' | 'plugin' | 'unknown';

let owner: CodeOwner = 'unknown';
let pluginsLoading = 0;
const pluginFiles = new Set<string>();
const packageNames = new Map<string, string>();

export function codeOwner(): CodeOwner {
  return owner;
}

/** Declares that code of `next` runs; returns the previous owner, to be restored afterwards. */
export function enterCode(next: CodeOwner): CodeOwner {
  const before = owner;
  owner = next;
  return before;
}

/** Runs `work`, which must be synchronous, as code of the owner `next`. */
export function runCodeOf<Value>(next: CodeOwner, work: () => Value): Value {
  const before = enterCode(next);
  try {
    return work();
  } finally {
    enterCode(before);
  }
}

/** Whether the modules of a plugin are being loaded; other code may run at the same time. */
export function isPluginLoading(): boolean {
  return pluginsLoading > 0;
}

/** Runs `work`, which loads the modules of a plugin. */
export async function loadPlugin<Value>(work: () => Promise<Value>): Promise<Value> {
  pluginsLoading++;
  try {
    return await work();
  } finally {
    pluginsLoading--;
  }
}

/** The code of a plugin, by real paths. */
export type DeclaredCode = {
  readonly files: readonly string[];
  readonly packages: readonly { readonly name: string; readonly folder: string }[];
};

/** Declares the files of a plugin before they are loaded. */
export function declarePlugin({ files, packages }: DeclaredCode): void {
  for (const file of files) pluginFiles.add(file);
  for (const { name, folder } of packages) packageNames.set(folder, name);
}

/** Whether the file is a declared plugin's own code. */
export function isPluginFile(file: string): boolean {
  return pluginFiles.has(file);
}

/** `node_modules/NAME/` or `node_modules/@SCOPE/NAME/`, the innermost in a path. */
const inModules = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//su;

/** Returns the name of the package that the file belongs to; undefined if it is in none. */
export function packageOf(file: string): string | undefined {
  if (pluginFiles.has(file)) return undefined;
  const installed = inModules.exec(file)?.[1];
  if (installed !== undefined) return installed;
  // A package that is linked from a folder outside node_modules.
  for (const [folder, name] of packageNames) if (file.startsWith(`${folder}/`)) return name;
  return undefined;
}
