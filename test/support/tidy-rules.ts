/**
 * The style as data and pure functions: the form of a file, and what is banned where.
 * `test/tidy.test.ts` applies it to the tree, and to planted violations to show that it can fail.
 */
import path from 'node:path/posix';
import { codeOf, type SourceFile } from './source-files.ts';

type Ban = {
  readonly pattern: RegExp;
  readonly instead: string;
  /** Where it applies. */
  readonly within: RegExp;
  /** Files, and folders with a slash at their end, that do it all the same. */
  readonly except?: readonly string[];
  /** A comment on the line or the line before it that allows it. */
  readonly excuse?: RegExp;
};

const shipped = /^(?:src|strategies)\//u;
const beforeInstall = ['src/install.mjs', 'src/run-script.mjs'];

const bans: readonly Ban[] = [
  {
    pattern: /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.(?:now|timeOrigin)\b|\bhrtime\b/u,
    instead: 'a Clock from runtime',
    within: shipped,
    except: ['src/page/browser/', 'src/runtime/', 'src/run-script.mjs'],
  },
  {
    pattern: /\bMath\.random\b|\brandom(?:UUID|Bytes|Int)\b|\bgetRandomValues\b/u,
    instead: 'a Random from runtime',
    within: shipped,
    except: ['src/runtime/'],
  },
  {
    pattern: /\bset(?:Timeout|Interval|Immediate)\b(?!\s*:)/u,
    instead: 'Timers from runtime',
    within: shipped,
    except: ['src/page/browser/', 'src/runtime/', ...beforeInstall],
  },
  {
    pattern: /\bNumber\b(?=\s*[(),])|\bparseFloat\b|\.toNumber\(/u,
    instead: 'a parser of domain/money.ts (or say in a comment why it is "not money")',
    within: shipped,
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
    except: ['src/strategy/'],
  },
  {
    pattern: /\bfetch\(|\bnew WebSocket\(/u,
    instead: 'the client',
    within: shipped,
    except: ['src/venues/luno/client/', 'src/feeds/', 'src/page/browser/', 'src/testing/'],
  },
  {
    pattern: /\bprocess\.(?:on|once|env)\b/u,
    instead: 'runtime (signals, secrets) or settings passed in',
    within: shipped,
    except: [
      ...['src/main.ts', 'src/runtime/', 'src/bot/', 'src/cli/', 'src/testing/'],
      ...beforeInstall,
    ],
  },
  {
    pattern: /\bmkdir(?:Sync)?\b/u,
    instead: 'makeFolder of runtime: with `recursive` Node never returns from some folders',
    within: shipped,
    except: ['src/runtime/make-folder.ts'],
  },
  {
    pattern: /\b[gs]et\s+#\w+\(/u,
    instead: 'a private method: V8 calls into its runtime for each use of a private accessor',
    within: shipped,
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
  /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.(?:test|bench|d|live\.test|config))?\.(?:tsx?|mjs)$/u;
const lineLengthMax = 100;
const textLineLengthMax = 160;

/** Returns everything that is wrong with a file, as sentences that begin with where. */
export function violationsIn(source: SourceFile): string[] {
  return [...formViolations(source), ...banViolations(source)];
}

function formViolations({ file, text }: SourceFile): string[] {
  const found: string[] = [];
  const lines = text.split('\n');
  const name = path.basename(file);
  if (!wantedName.test(name)) found.push(`${file}: a file name is kebab-case .ts, .tsx or .mjs`);
  if (bannedNames.test(name)) found.push(`${file}: name the file for its main export`);
  if (!/^(?:#![^\n]*\n)?\/(?:\*\*|\/ )/u.test(text)) {
    found.push(`${file}:1: a header comment says what the file owns`);
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

function banViolations(source: SourceFile): string[] {
  const { file } = source;
  return bans
    .filter(({ within, except = [] }) => within.test(file) && !except.some(isAt(file)))
    .flatMap((ban) => hitsOf(ban, source).map((hit) => ({ ...hit, instead: ban.instead })))
    .filter(({ isExcused }) => !isExcused)
    .map(({ line, text, instead }) => `${file}:${line}: ${text} is banned here; use ${instead}`);
}

/** Returns the exceptions of bans that no file needs. */
export function unusedExceptions(sources: readonly SourceFile[]): string[] {
  return bans.flatMap((ban) => {
    const { instead, within, except = [], excuse } = ban;
    const breaking = sources
      .filter(({ file }) => within.test(file))
      .map((source) => ({ file: source.file, hits: hitsOf(ban, source) }))
      .filter(({ hits }) => hits.length > 0);
    const unused = except
      .filter((place) => !breaking.some(({ file }) => isAt(file)(place)))
      .map((place) => `${place} needs no exception from the ban that says to use ${instead}`);
    const isExcuseUsed = breaking.some(({ hits }) => hits.some(({ isExcused }) => isExcused));
    if (excuse !== undefined && !isExcuseUsed)
      unused.push(`no comment is needed that matches ${excuse}`);
    return unused;
  });
}

function isAt(file: string): (place: string) => boolean {
  return (place) => (place.endsWith('/') ? file.startsWith(place) : file === place);
}

type Hit = { readonly line: number; readonly text: string; readonly isExcused: boolean };

function hitsOf({ pattern, excuse }: Ban, source: SourceFile): Hit[] {
  const { bare } = codeOf(source);
  // Few files have a hit at all.
  if (!pattern.test(bare)) return [];
  const lines = source.text.split('\n');
  return bare.split('\n').flatMap((line, index) => {
    const hit = pattern.exec(line)?.[0];
    if (hit === undefined) return [];
    const around = `${lines[index - 1] ?? ''}\n${lines[index]}`;
    return [{ line: index + 1, text: hit.trim(), isExcused: excuse?.test(around) === true }];
  });
}
