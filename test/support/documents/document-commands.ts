/** Commands of Millrace in our documents, and whether its real options take them. */
import { readArguments, UsageError } from '../../prove/arguments.ts';
import { isCommandName, problemOfWords } from '../pasted-commands.ts';
import type { SourceFile } from '../source-files.ts';
import { isPage, pageText } from './documents.ts';

export type DocumentCommand = {
  readonly file: string;
  readonly line: number;
  /** As it stands in the document. */
  readonly text: string;
  /** An npm script, `millrace`, or `project` for a command in a project of the user's. */
  readonly script: string;
  /** What the script gets. */
  readonly words: readonly string[];
};

const scripts = 'start|test|check|prove|page|package|millrace';
const npmScript = new RegExp(
  `^npm (?:run (?:--silent )?)?(?<script>${scripts})\\b(?<rest>.*)$`,
  'u',
);
const projectScript = /^(?:npx millrace|npm run (?<script>backtest|dev))\b(?<rest>.*)$/u;
const npmOwn = /^npm (?:ci|create|install|pack|publish|rebuild|version)\b/u;
/** The history has commands as they were then. */
const history = 'CHANGELOG.md';

/** Returns the commands of a page: lines of its blocks of code, and whole code spans. */
export function commandsOf({ file, text }: SourceFile): DocumentCommand[] {
  const { spans, blocks } = pageText(text);
  const lines = blocks.flatMap((block) =>
    linesOf(block.text).map(({ text, line }) => ({ text, line: block.line + line })),
  );
  return [...lines, ...spans]
    .flatMap(({ text, line }) => simpleCommands(text).map((command) => ({ command, line })))
    .flatMap(({ command, line }) => {
      const found = readCommand(command);
      return found === undefined ? [] : [{ file, line, text: command, ...found }];
    })
    .sort((a, b) => a.line - b.line);
}

/** Returns every command of the documents; README's stand first. */
export function commandsIn(documents: readonly SourceFile[]): DocumentCommand[] {
  return documents
    .filter((page) => isPage(page) && page.file !== history)
    .flatMap(commandsOf)
    .sort((a, b) => Number(b.file === 'README.md') - Number(a.file === 'README.md'));
}

/** Returns what is wrong with a command, as a sentence that begins with where it is. */
export function badCommand(command: DocumentCommand): string | undefined {
  const problem = problemOf(command);
  const { file, line, text } = command;
  return problem === undefined ? undefined : `${file}:${line}: ${text}: ${problem}`;
}

function problemOf({ script, words, text }: DocumentCommand): string | undefined {
  if (['test', 'check', 'page', 'package'].includes(script)) return undefined;
  if (script === 'project' && words.length === 0) return undefined;
  if (script === 'prove') return proveProblem(words);
  if (script === 'start') return problemOfWords(['start', ...words]);
  const [name = '', ...more] = words;
  // A command that is only named, as in a sentence about it, needs no arguments.
  if (text.startsWith('millrace') && more.length === 0)
    return name === '' || isCommandName(name) ? undefined : `there is no command ${name}`;
  return problemOfWords(words);
}

function proveProblem(words: readonly string[]): string | undefined {
  try {
    readArguments(words.map((word, index) => sampleOf(word, words[index - 1])));
    return undefined;
  } catch (error) {
    const isUsage = error instanceof UsageError || error instanceof TypeError;
    if (isUsage) return (error as Error).message;
    throw error;
  }
}

/** Returns a value for a placeholder: `NAME` is any prover, `N` any number. */
function sampleOf(word: string, before: string | undefined): string {
  if (word === 'NAME' && !before?.startsWith('--')) return 'structure';
  return word === 'N' ? '10000' : word;
}

/** Splits a block into logical lines, with lines that end with a backslash joined. */
function linesOf(block: string): { readonly text: string; readonly line: number }[] {
  let line = 0;
  return block
    .replaceAll(/\\\n\s*/gu, '\u0000')
    .split('\n')
    .map((text) => {
      const at = line;
      line += text.split('\u0000').length;
      return { text: text.replaceAll('\u0000', ' '), line: at };
    });
}

/** Splits a line at `&&`, `;` and pipes, without comments, redirections and variables before it. */
function simpleCommands(line: string): string[] {
  return line
    .replace(/(?:^|\s)[#>].*$/u, '')
    .split(/&&|;|\|(?!\|)/u)
    .map((part) => part.trim().replace(/^(?:\w+=\S+ )+/u, ''))
    .filter((part) => part !== '');
}

function readCommand(
  text: string,
): { readonly script: string; readonly words: readonly string[] } | undefined {
  if (npmOwn.test(text)) return undefined;
  const project = projectScript.exec(text)?.groups;
  if (project !== undefined) {
    const { script = [], rest = '' } = project;
    const words = wordsOf(rest).filter((word) => word !== '--');
    return { script: 'project', words: [script, words].flat() };
  }
  const npm = npmScript.exec(text)?.groups;
  if (npm !== undefined) {
    const words = wordsOf(npm['rest'] ?? '').filter((word) => word !== '--silent');
    return { script: npm['script'] ?? '', words: words[0] === '--' ? words.slice(1) : words };
  }
  if (/^npm\s/u.test(text)) return { script: 'millrace', words: wordsOf(text) };
  // A unit of systemd starts the program itself.
  const direct = /^(?:(?<prove>prove) -- |millrace(?: |$)|\S*src\/bin\.mjs )/u.exec(text);
  if (direct === null) return undefined;
  const script = direct.groups?.['prove'] === undefined ? 'millrace' : 'prove';
  return { script, words: wordsOf(text.slice(direct[0].length)) };
}

/** Splits as a shell does, with quotes and without expansion. */
function wordsOf(text: string): string[] {
  return [...text.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/gu)].map(([word]) =>
    word.replaceAll(/['"]/gu, '').replace(/…$/u, ''),
  );
}
