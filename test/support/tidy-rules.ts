/**
 * The style as data and pure functions: which folder may import what, what is banned and where.
 * `test/tidy.test.ts` applies it to the tree, and to planted violations to show that it can fail.
 */
import path from 'node:path/posix';
import { codeTextOf } from './code-text.ts';

/** A file of ours: its path from the root with forward slashes, and its text. */
export type SourceFile = { readonly file: string; readonly text: string };

type FolderRule = {
  /** Folders of `src` it may import. */
  readonly values: readonly string[];
  /** Folders it may import types from: the ports it implements or is given. */
  readonly types?: readonly string[];
  /** Single files of other folders that it may import. */
  readonly files?: readonly string[];
};

const edge = ['domain', 'exchange-api', 'market', 'runtime'];
const everything = [
  ...['audit', 'backtest', 'bot', 'client', 'cli', 'control', 'domain', 'engine', 'exchange-api'],
  ...[
    'execution',
    'market',
    'paper',
    'recording',
    'replay-exchange',
    'risk',
    'runtime',
    'settings',
  ],
  ...['simulator', 'store', 'strategy', 'terminal'],
];

/** Each folder of `src`, and what it may import of ours; its own files always. */
export const folderRules: Readonly<Record<string, FolderRule>> = {
  domain: { values: [] },
  'exchange-api': { values: ['domain'] },
  risk: { values: ['domain'] },
  market: { values: ['domain'] },
  settings: { values: ['domain'] },
  runtime: { values: ['domain'] },
  // The host declares whose code it enters; that is bookkeeping, and reaches nothing.
  strategy: { values: ['domain', 'market'], files: ['src/runtime/running-code.ts'] },
  terminal: { values: ['domain', 'runtime'] },
  execution: { values: ['domain', 'exchange-api', 'market', 'risk'] },
  engine: {
    values: ['domain', 'exchange-api', 'market', 'risk', 'strategy', 'execution'],
    types: ['runtime', 'store'],
    // A seeded generator is a pure function of its seed; the ambient one is not for the engine.
    files: ['src/runtime/seeded-random.ts'],
  },
  client: { values: edge, types: ['engine', 'execution'] },
  simulator: { values: edge, types: ['engine', 'execution'] },
  'replay-exchange': { values: edge, types: ['engine', 'execution', 'recording'] },
  paper: { values: [...edge, 'recording', 'replay-exchange'], types: ['engine', 'store'] },
  store: { values: edge, types: ['engine', 'execution', 'risk'] },
  recording: { values: edge, types: ['engine'] },
  backtest: {
    values: everything.filter((folder) => !['audit', 'bot', 'cli', 'control'].includes(folder)),
  },
  control: { values: [...edge, 'settings', 'store'], types: ['engine', 'execution'] },
  audit: { values: everything },
  bot: { values: everything },
  cli: { values: everything },
};

/** The files in `src` itself. `launch.mjs` and `install.mjs` run before anything is installed. */
export const rootFileRules: Readonly<Record<string, FolderRule>> = {
  'main.ts': { values: ['cli', 'domain', 'runtime', 'settings', 'terminal'] },
  'index.ts': { values: ['domain', 'exchange-api', 'market', 'strategy'] },
  'launch.mjs': { values: [] },
  'install.mjs': { values: [] },
};

export const testFolders = [
  ...['unit', 'property', 'contract', 'scenario', 'simulation', 'browser', 'live', 'bench'],
  ...['fixtures', 'support', 'prove'],
];
export const rootFolders = ['src', 'strategies', 'config', 'backtests', 'test', 'docs'];

/** Each package we depend on, and the folders of `src` (or `strategies`) that may import it. */
export const packageRules: Readonly<Record<string, readonly string[]>> = {
  undici: ['client'],
  ws: ['client', 'simulator'],
  'better-sqlite3': ['store'],
  yaml: ['settings'],
  pino: ['runtime'],
  zod: ['exchange-api', 'simulator', 'settings', 'strategy', 'strategies', 'index.ts'],
  'decimal.js': ['domain'],
  commander: ['cli', 'main.ts'],
  croner: ['strategy', 'engine'],
  'hyparquet-writer': ['recording'],
  rxjs: [
    ...['market', 'strategy', 'strategies', 'engine', 'client', 'simulator', 'replay-exchange'],
    ...['recording', 'backtest', 'control', 'bot', 'cli', 'index.ts'],
  ],
};

/** Where a package may be imported as types only, since those are gone when the program runs. */
const packageTypeRules: Readonly<Record<string, readonly string[]>> = {
  zod: ['client'],
};

const network = ['client', 'simulator', 'control'];

/** Node's own modules that only some folders may use; the rest is free. */
export const builtinRules: Readonly<Record<string, readonly string[]>> = {
  'node:http': network,
  'node:https': network,
  'node:net': network,
  'node:tls': network,
  'node:dgram': [],
  'node:sqlite': [],
  'node:vm': [],
  'node:timers': ['runtime'],
  'node:timers/promises': ['runtime'],
};

type Ban = {
  readonly pattern: RegExp;
  readonly instead: string;
  /** Where it applies, and where it is allowed all the same. */
  readonly within: RegExp;
  readonly except?: RegExp;
  /** A comment on the line or the line before it that allows it. */
  readonly excuse?: RegExp;
};

const shipped = /^(?:src|strategies)\//u;
const beforeInstall = String.raw`^src\/(?:launch|install)\.mjs$`;
const runtimeOnly = new RegExp(String.raw`^src\/runtime\/|${beforeInstall}`, 'u');

export const bans: readonly Ban[] = [
  {
    pattern: /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.(?:now|timeOrigin)\b|\bhrtime\b/u,
    instead: 'a Clock from runtime',
    within: shipped,
    except: runtimeOnly,
  },
  {
    pattern: /\bMath\.random\b|\brandom(?:UUID|Bytes|Int)\b|\bgetRandomValues\b/u,
    instead: 'a Random from runtime',
    within: shipped,
    except: /^src\/runtime\//u,
  },
  {
    pattern: /\bset(?:Timeout|Interval|Immediate)\b(?!\s*:)/u,
    instead: 'Timers from runtime',
    within: shipped,
    except: runtimeOnly,
  },
  {
    pattern: /\bNumber\b(?=\s*[(),])|\bparseFloat\b|\.toNumber\(/u,
    instead: 'a parser of domain/money.ts (or say in a comment why it is "not money")',
    within: shipped,
    except: new RegExp(String.raw`^src\/domain\/money\.ts$|${beforeInstall}`, 'u'),
    excuse: /not money/iu,
  },
  {
    pattern: /(?::|\bas|<|,|\|)\s*any\b(?!\s*[:(])|\bany\[\]/u,
    instead: 'unknown and a decoder',
    within: /./u,
  },
  {
    pattern: /\bobserveOn\(\s*(?:asap|async)|\basapScheduler\b/u,
    instead: "the engine's virtual time: these schedulers are quadratic in backlog",
    within: shipped,
    except: /^src\/strategy\//u,
  },
  {
    pattern: /\bfetch\(|\bnew WebSocket\(/u,
    instead: 'the client',
    within: shipped,
    except: /^src\/(?:client|simulator|control)\//u,
  },
  {
    pattern: /\bprocess\.(?:on|once|env)\b/u,
    instead: 'runtime (signals, secrets) or settings passed in',
    within: shipped,
    except: new RegExp(
      String.raw`^src\/(?:runtime|bot|cli|terminal)\/|^src\/main\.ts$|${beforeInstall}`,
      'u',
    ),
  },
  {
    pattern: /\bmkdir(?:Sync)?\b/u,
    instead: 'makeFolder of runtime: with `recursive` Node never returns from some folders',
    within: shipped,
    except: new RegExp(String.raw`^src\/runtime\/make-folder\.ts$|${beforeInstall}`, 'u'),
  },
  { pattern: /\benum\s+\w+\s*\{/u, instead: 'a union of literals', within: /./u },
];

/**
 * Banned anywhere in the text, comments included. Written so that this file does not match itself.
 */
const textBans: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b(?:TO[D]O|FIX[M]E|XX[X]|HAC[K])\b/u, 'an issue'],
  [/@ts-(?:ignor[e]|nochec[k]|expect-erro[r])/u, 'a type that is true'],
];

const bannedNames = /^(?:types|utils?|helpers?|constants|models|interfaces|misc|common)\./u;
const wantedName =
  /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.(?:test|bench|d|live\.test|config))?\.(?:ts|mjs)$/u;
const lineLengthMax = 100;
const textLineLengthMax = 160;
const fileLinesMax = 400;

/** Returns everything that is wrong with a file, as sentences that begin with where. */
export function violationsIn(source: SourceFile): string[] {
  return [...formViolations(source), ...importViolations(source), ...banViolations(source)];
}

function formViolations({ file, text }: SourceFile): string[] {
  const found: string[] = [];
  const lines = text.split('\n');
  const name = path.basename(file);
  if (!wantedName.test(name)) found.push(`${file}: a file name is kebab-case .ts or .mjs`);
  if (bannedNames.test(name)) found.push(`${file}: name the file for its main export`);
  if (!/^(?:#![^\n]*\n)?\/(?:\*\*|\/ )/u.test(text)) {
    found.push(`${file}:1: a header comment says what the file owns`);
  }
  if (lines.length > fileLinesMax + 1) {
    found.push(`${file}: ${lines.length - 1} lines, at most ${fileLinesMax}; split by noun`);
  }
  lines.forEach((line, index) => {
    const at = `${file}:${index + 1}`;
    const length = [...line].length;
    // The text of a message is kept in one piece, so that it can be searched for.
    const lengthMax = /(['"`])(?:(?!\1).){30,}\1/u.test(line) ? textLineLengthMax : lineLengthMax;
    if (length > lengthMax) found.push(`${at}: ${length} columns, at most ${lengthMax}`);
    for (const [pattern, instead] of textBans) {
      const hit = pattern.exec(line)?.[0];
      if (hit !== undefined) found.push(`${at}: ${hit} is banned; use ${instead}`);
    }
  });
  return found;
}

function banViolations({ file, text }: SourceFile): string[] {
  const found: string[] = [];
  const lines = text.split('\n');
  const bare = codeTextOf(text).bare.split('\n');
  const applying = bans.filter(({ within, except }) => within.test(file) && !except?.test(file));
  bare.forEach((line, index) => {
    for (const { pattern, instead, excuse } of applying) {
      const hit = pattern.exec(line)?.[0];
      if (hit === undefined) continue;
      const around = `${lines[index - 1] ?? ''}\n${lines[index]}`;
      if (excuse?.test(around) === true) continue;
      found.push(`${file}:${index + 1}: ${hit.trim()} is banned here; use ${instead}`);
    }
  });
  return found;
}

type Import = { readonly from: string; readonly isType: boolean; readonly line: number };

const importPattern = new RegExp(
  [
    String.raw`\b(?:import|export)\s+(?<type>type\s)?(?:[\w$*\s{},]+?\sfrom\s*)?`,
    String.raw`(?<quote>['"])(?<from>[^'"\n]+)\k<quote>`,
    String.raw`|\b(?:import|require)\s*\(\s*(?<quote2>['"])(?<dynamic>[^'"\n]+)\k<quote2>`,
  ].join(''),
  'gu',
);

/** Returns what a file imports, exports from, or loads by a literal name. */
export function importsOf(text: string): Import[] {
  const code = codeTextOf(text).withStrings;
  return [...code.matchAll(importPattern)].map((match) => ({
    from: match.groups?.['from'] ?? match.groups?.['dynamic'] ?? '',
    isType: match.groups?.['type'] !== undefined,
    line: code.slice(0, match.index).split('\n').length,
  }));
}

function importViolations({ file, text }: SourceFile): string[] {
  if (!shipped.test(file)) return [];
  const found: string[] = [];
  for (const { from, isType, line } of importsOf(text)) {
    const refusal = from.startsWith('.')
      ? ownRefusal(file, path.join(path.dirname(file), from), isType)
      : packageRefusal(file, from, isType);
    if (refusal !== undefined) found.push(`${file}:${line}: ${refusal}`);
  }
  return found;
}

/** Returns the folder of `src`, the file in `src` itself, or `strategies`. */
function placeOf(file: string): string {
  const [top = '', next = ''] = file.split('/');
  return top === 'src' ? next : top;
}

function ownRefusal(file: string, target: string, isType: boolean): string | undefined {
  const from = placeOf(file);
  const to = placeOf(target);
  if (from === 'strategies') {
    const own = file.split('/').slice(0, 2).join('/');
    if (target.startsWith(`${own}/`) || target === 'src/index.ts') return undefined;
    return `a strategy may import src/index.ts and its own files, not ${target}`;
  }
  if (!target.startsWith('src/')) return `src may not import ${target}`;
  if (from === to) return undefined;
  const rule = folderRules[from] ?? rootFileRules[from];
  if (rule === undefined) return `${from} is not in the layout`;
  if (from.endsWith('.mjs') && to.endsWith('.mjs')) return undefined;
  if (rule.values.includes(to) || rule.files?.includes(target) === true) return undefined;
  if (isType && rule.types?.includes(to) === true) return undefined;
  const typesOnly = rule.types?.includes(to) === true ? ' but types' : '';
  return `${from} may not import anything${typesOnly} of ${to}`;
}

function packageRefusal(file: string, from: string, isType: boolean): string | undefined {
  const place = placeOf(file);
  if (from.startsWith('node:')) {
    const allowed = place === 'strategies' ? [] : builtinRules[from];
    if (allowed === undefined || allowed.includes(place)) return undefined;
    return `${place} may not import ${from}`;
  }
  const name = from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/');
  const allowed = packageRules[name];
  if (allowed === undefined) return `${name} is not in the table of packages`;
  if (allowed.includes(place)) return undefined;
  if (isType && packageTypeRules[name]?.includes(place) === true) return undefined;
  return `${place} may not import ${name}`;
}
