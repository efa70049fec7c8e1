/**
 * What a user can do wrong with a plugin, and what the message must say: the thing, and the fix.
 * A message is one line.
 */
import { rmSync } from 'node:fs';
import {
  changed,
  type Ended,
  type InstalledProject,
  millrace,
  read,
  resultOf,
  write,
} from './installed-project.ts';

type BadPlugin = {
  readonly what: string;
  /** As in the settings. */
  readonly plugin: string;
  /** Files of the project, made for this case alone. */
  readonly files?: Readonly<Record<string, string>>;
  readonly words: readonly RegExp[];
};

const indicator = 'tiny-average';

/** Returns what is wrong with a refusal; undefined if it is as it must be. */
export function faultOf(
  what: string,
  { code, out, err }: Ended,
  words: readonly RegExp[],
): string | undefined {
  const lines = (out + err).split('\n').filter((line) => line !== '' && !/^\[[#.]+\]/u.test(line));
  const said = lines.join('\n').slice(0, 1_000);
  if (code === 0 || code === null) return `${what}: it ended with ${code}: ${said}`;
  if (lines.length !== 1) return `${what}: the message has ${lines.length} lines: ${said}`;
  const absent = words.filter((word) => !word.test(said));
  return absent.length === 0 ? undefined : `${what}: no ${absent.join(' and no ')} in: ${said}`;
}

function badPlugins(quoter: string): readonly BadPlugin[] {
  const required = `const { defineStrategy } = require('millrace');
module.exports = defineStrategy({});
`;
  return [
    {
      what: 'a path that does not exist',
      plugin: './strategies/quotr.ts',
      words: [/there is no \S.*quotr\.ts/u, /did you mean \.\/strategies\/quoter\.ts\?/u],
    },
    {
      what: 'a folder that does not exist',
      plugin: './strategy/quoter.ts',
      words: [/there is no \S.*strategy\/quoter\.ts/u, /there is no folder \S.*strategy/u],
    },
    {
      what: 'a path outside the project',
      plugin: '../outside.ts',
      files: { '../outside.ts': quoter },
      words: [/outside\.ts, outside the project /u, /move it into the project/u],
    },
    {
      what: 'no export',
      plugin: './strategies/bad.ts',
      files: { 'strategies/bad.ts': 'export const nothing = 1;\n' },
      words: [/bad\.ts: its default export must be made by defineStrategy/u, /only nothing/u],
    },
    {
      what: 'a named export',
      plugin: './strategies/bad.ts',
      files: {
        'strategies/bad.ts': changed(quoter, 'export default', 'export const mine ='),
      },
      words: [/bad\.ts: its default export/u, /exports one as mine: export it as default/u],
    },
    {
      what: 'an invalid name',
      plugin: './strategies/bad.ts',
      files: { 'strategies/bad.ts': changed(quoter, "name: 'quoter'", "name: 'My Quoter'") },
      words: [/bad\.ts cannot be loaded: strategy "My Quoter"/u, /lower-case letters/u],
    },
    {
      what: 'a missing package',
      plugin: './strategies/bad.ts',
      files: { 'strategies/bad.ts': `import { rsi } from 'not-there';\nvoid rsi;\n${quoter}` },
      words: [/bad\.ts:1: imports not-there/u, /npm install not-there/u],
    },
    {
      what: 'a package that is not allowed',
      plugin: './strategies/averaged.ts',
      words: [/averaged\.ts:\d+: imports tiny-average/u, /write packages: \[tiny-average\]/u],
    },
    {
      what: 'a syntax error',
      plugin: './strategies/bad.ts',
      files: { 'strategies/bad.ts': quoter.slice(0, quoter.length / 2) },
      words: [/strategies\/bad\.ts:\d+: /u],
    },
    {
      what: 'a folder without a strategy',
      plugin: './strategies/folder',
      files: { 'strategies/folder/README.md': 'empty\n' },
      words: [/strategies\/folder has no strategy\.ts or strategy\.js/u],
    },
    {
      what: 'CommonJS by its name',
      plugin: './strategies/bad.cjs',
      files: { 'strategies/bad.cjs': required },
      words: [/bad\.cjs is CommonJS/u, /import instead of require/u],
    },
    {
      what: 'CommonJS in a .js',
      plugin: './strategies/bad.js',
      files: { 'strategies/bad.js': required },
      words: [/bad\.js is CommonJS/u, /import instead of require/u],
    },
    {
      what: 'a name that is neither shipped nor a package',
      plugin: 'simple-m',
      words: [/plugin simple-m: there is no shipped plugin/u, /did you mean simple-mm\?/u],
    },
  ];
}

/** Returns the number of inputs that were tried. */
export async function tryBadPlugins(project: InstalledProject, faults: string[]): Promise<number> {
  const { folder } = project;
  const quoter = read(folder, 'strategies/quoter.ts');
  const cases = badPlugins(quoter);
  for (const { what, plugin, files = {}, words } of cases) {
    for (const [name, text] of Object.entries(files)) write(folder, name, text);
    write(folder, 'bad.yaml', settingsWith(folder, plugin));
    const fault = faultOf(what, await millrace(project, ['backtest', 'bad.yaml']), words);
    if (fault !== undefined) faults.push(fault);
    for (const name of Object.keys(files)) rmSync(`${folder}/${name}`);
  }
  return cases.length + (await tryTwins(project, faults)) + (await tryApproved(project, faults));
}

/** Returns the settings of the project with another plugin; `more` are further lines. */
export function settingsWith(folder: string, plugin: string, more = ''): string {
  const text = read(folder, 'millrace.yaml');
  return `${changed(text, /plugin: .*/u, `plugin: ${plugin}`)}${more}`;
}

async function tryTwins(project: InstalledProject, faults: string[]): Promise<number> {
  const { folder } = project;
  write(folder, 'strategies/twin.ts', read(folder, 'strategies/quoter.ts'));
  const text = settingsWith(folder, './strategies/quoter.ts');
  const [, one = ''] = /^strategies:\n((?: {2}.*\n)+)/mu.exec(text) ?? [];
  const second = changed(changed(one, 'quoter:', 'twin:'), /\/quoter\.ts/u, '/twin.ts');
  write(folder, 'bad.yaml', text + changed(second, /XBTZAR/u, 'ETHZAR').replace('XBT:', 'ETH:'));
  const words = [
    /twin\.ts and \S.*quoter\.ts both have the name "quoter"/u,
    /give one of them another name in defineStrategy/u,
  ];
  const fault = faultOf(
    'two plugins of one name',
    await millrace(project, ['config', 'check', 'bad.yaml']),
    words,
  );
  if (fault !== undefined) faults.push(fault);
  rmSync(`${folder}/strategies/twin.ts`);
  return 1;
}

/** A package is changed after it was approved. */
async function tryApproved(project: InstalledProject, faults: string[]): Promise<number> {
  const { folder } = project;
  const more = `packages: [${indicator}]\naccounts: { ZAR: "1001", XBT: "1002" }\n`;
  const plain = settingsWith(folder, './strategies/averaged.ts', more);
  write(folder, 'bad.yaml', plain);
  const { approve } = resultOf(await millrace(project, ['checks', 'bad.yaml', '--json'])) as {
    approve: { settings: string; strategies: Record<string, string>; packages: string[] };
  };
  const approved = {
    ...approve,
    settings: [approve.settings],
    strategies: Object.values(approve.strategies),
  };
  write(folder, 'bad.yaml', `${plain}approved: ${JSON.stringify(approved)}\n`);
  const check = () => millrace(project, ['config', 'check', 'bad.yaml']);
  const before = await check();
  if (before.code !== 0) faults.push(`what was approved is refused: ${before.err}`);
  const name = `node_modules/${indicator}/index.js`;
  const text = read(folder, name);
  write(folder, name, `${text}// changed\n`);
  const words = [/tiny-average is now 1\.0\.0 /u, /is not approved/u, /: npx millrace checks /u];
  const fault = faultOf('a package changed since approval', await check(), words);
  if (fault !== undefined) faults.push(fault);
  write(folder, name, text);
  return 1;
}
