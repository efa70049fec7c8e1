/**
 * A project as a user has it: the package is built, packed and installed from npm's registry into
 * an empty folder whose path has a blank and an umlaut. No module of the clone is in it.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { PackagePlant } from './package-plants.ts';
import { plantInPackage } from './package-plants.ts';

const clone = join(import.meta.dirname, '../../..');
const commandMs = 600_000;

export type Ended = {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  readonly seconds: number;
};

export type RunOptions = {
  readonly cwd: string;
  readonly node?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The user and group of the process. */
  readonly uid?: number;
};

export type InstalledProject = {
  /** The folder of the whole proof. */
  readonly base: string;
  /** The project that `millrace init` made. */
  readonly folder: string;
  readonly archive: string;
  readonly filesInPackage: number;
  readonly bytesPacked: number;
};

/** Returns a new folder with a blank and an umlaut in its path; everything is made in it. */
export function makeBase(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'millrace paket ü-')));
}

/** Builds and packs the package, with the plant in it. */
export async function pack(base: string, plant: PackagePlant | undefined) {
  const built = join(base, 'built');
  const build = join(clone, 'packages/millrace/build.mjs');
  await succeeded([process.execPath, build, built], { cwd: clone });
  if (plant !== undefined) plantInPackage(plant, built);
  const { out } = await succeeded(['npm', 'pack', '--json', built], { cwd: base });
  const [packed] = JSON.parse(out) as { filename: string; entryCount: number; size: number }[];
  if (packed === undefined) throw new Error(`npm pack made nothing: ${out}`);
  return {
    archive: join(base, packed.filename),
    filesInPackage: packed.entryCount,
    bytesPacked: packed.size,
  };
}

/** Runs a command without the variables of the npm and the Millrace around this process. */
export function run(words: readonly string[], options: RunOptions): Promise<Ended> {
  const [command = '', ...args] = words;
  const { cwd, uid } = options;
  const startedMs = performance.now();
  const child = spawn(command, args, {
    cwd,
    env: { ...environment(options.node ?? process.execPath), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: commandMs,
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  return new Promise((settle, fail) => {
    child.once('error', fail);
    child.once('close', (code) =>
      settle({ code, out, err, seconds: (performance.now() - startedMs) / 1_000 }),
    );
  });
}

/** Runs a command; throws if it fails. */
export async function succeeded(words: readonly string[], options: RunOptions): Promise<Ended> {
  const ended = await run(words, options);
  if (ended.code === 0) return ended;
  throw new Error(`${words.join(' ')} ended with ${ended.code}: ${ended.out}${ended.err}`);
}

/** Runs `millrace` of the project by its script, as its `bin` does. */
export function millrace(
  { folder }: Pick<InstalledProject, 'folder'>,
  words: readonly string[],
  options: Partial<RunOptions> = {},
): Promise<Ended> {
  const node = options.node ?? process.execPath;
  const cwd = options.cwd ?? folder;
  return run([node, binOf(cwd), ...words], { ...options, cwd });
}

export function binOf(folder: string): string {
  return join(folder, 'node_modules/millrace/src/bin.mjs');
}

/** Returns the JSON of the last line; undefined if there is none. */
export function resultOf({ out }: Ended): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(out.trim().split('\n').at(-1) ?? '');
  } catch {
    return undefined;
  }
}

export function write(folder: string, name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

export function read(folder: string, name: string): string {
  return readFileSync(join(folder, name), 'utf8');
}

/** Replaces a text that must be there. */
export function changed(text: string, from: string | RegExp, to: string): string {
  const isThere = typeof from === 'string' ? text.includes(from) : from.test(text);
  if (!isThere) throw new Error(`there is no ${from} to replace in: ${text.slice(0, 500)}`);
  return text.replace(from, () => to);
}

export function removeBase(base: string): void {
  rmSync(base, { recursive: true, force: true });
}

const kept = /^npm_config_(?:registry|cache|(?:https?_)?proxy|cafile)$/iu;
const foreign = /^(?:npm_|millrace_|node_|init_cwd$|vitest)/iu;

/** What a user's shell has: this proof runs inside `npm run`, which sets variables of the clone. */
export function environment(node: string): Record<string, string> {
  const entries = Object.entries(process.env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (kept.test(entry[0]) || !foreign.test(entry[0])),
  );
  const found = entries
    .filter(([name]) => name === 'PATH')
    .flatMap(([, value]) => value.split(delimiter).filter((one) => !one.startsWith(clone)));
  const path = [dirname(node), ...found].join(delimiter);
  return { ...Object.fromEntries(entries), PATH: path, NO_COLOR: '1' };
}
