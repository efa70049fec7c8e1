/**
 * `docs/strategy-api.md`: every name that a strategy may import, made of `src/index.ts` and of the
 * declarations behind it with their comments. It reads our own source text, so declarations must be
 * formatted as biome formats them: a declaration starts at the first column and ends there.
 */
import { posix } from 'node:path';
import { type UseTexts, useTexts } from './use-texts.ts';

const entry = 'src/index.ts';
/** The parts of the API that a reader needs first. */
const shapes = 'src/strategy/shapes/';
const contract = 'src/strategy/contract.ts';
const views = 'src/strategy/own-views.ts';

type Declaration = { readonly name: string; readonly comment: string; readonly code: string };

/** Returns the page; `read` returns the text of a source file by its path from the root. */
export function strategyPage(read: (file: string) => string): string {
  const exported = exportsOf(read(entry));
  const rankOf = (file: string): number =>
    file.startsWith(shapes) ? 0 : file === contract ? 1 : file === views ? 2 : 3;
  const uses = useTexts(read);
  const inOrder = exported.toSorted((a, b) => rankOf(a.file) - rankOf(b.file));
  return `${[
    '# Strategy API',
    'Written by `millrace interface --write docs`. Do not edit: it says what `src/index.ts` exports, ' +
      'and a test compares the two. [Strategies](strategies.md) explains how to use it.',
    plainText(/^\/\*\*[\s\S]*?\*\//u.exec(read(contract))?.[0] ?? ''),
    'Each member is shown in use; `npm run prove -- contract` runs these lines. In them `context`, ' +
      '`order`, `fill` and so on are values of the type whose member is used, and `market` its pair.',
    ...inOrder.flatMap(({ file, names }) =>
      names.flatMap((name) => section(declarationOf(read(file), name, file), uses)),
    ),
  ].join('\n\n')}\n`;
}

/** Returns the names that a file re-exports, by the file that declares them. */
function exportsOf(text: string): { readonly file: string; readonly names: readonly string[] }[] {
  return [...text.matchAll(/^export (?:type )?\{(?<names>[^}]*)\} from '(?<from>[^']+)';/gmu)].map(
    ({ groups }) => ({
      file: posix.join('src', groups?.['from'] ?? ''),
      names: (groups?.['names'] ?? '')
        .split(',')
        .map((name) => name.trim().replace(/^type /u, ''))
        .filter((name) => name !== ''),
    }),
  );
}

/** Finds an exported declaration. Throws if the file has none of that name. */
function declarationOf(text: string, name: string, file: string): Declaration {
  const lines = text.split('\n');
  const start = lines.findIndex((line) =>
    new RegExp(`^export (?:type|interface|function|const) ${name}\\b`, 'u').test(line),
  );
  if (start === -1) throw new Error(`${file} declares no ${name}`);
  const length = lines.slice(start).findIndex((line, index) => {
    const next = lines[start + index + 1] ?? '';
    return /(?:\}|;(?: \/\/ .*)?)$/u.test(line) && !/^[\s|&})]/u.test(next);
  });
  return {
    name,
    comment: commentAbove(lines, start),
    code: lines.slice(start, start + length + 1).join('\n'),
  };
}

function commentAbove(lines: readonly string[], line: number): string {
  // A line comment may stand between a doc comment and what it describes.
  let last = line - 1;
  while (/^\s*\/\/ /u.test(lines[last] ?? '')) last -= 1;
  if (!/\*\/$/u.test(lines[last] ?? '')) return '';
  const first = lines.findLastIndex((text, index) => index <= last && /^\s*\/\*\*/u.test(text));
  return plainText(lines.slice(first, last + 1).join('\n'));
}

function section({ name, comment, code }: Declaration, uses: UseTexts): string[] {
  const parts = [`## ${name}`, ...(comment === '' ? [] : [comment])];
  const call = uses.functions.get(name);
  const inUse = call === undefined ? [] : [`In use: ${codeSpan(call)}`];
  if (/^export function/u.test(code))
    return [...parts, block(code.replace(/ \{\n[\s\S]*$/u, '')), ...inUse];
  if (/^export const/u.test(code))
    return [...parts, block(code.replace(/ = [\s\S]*$/u, '')), ...inUse];
  if (name === 'Intent')
    return [
      ...parts,
      block(code),
      'One of each, in use:',
      block([...uses.intents.values()].map((text) => `{ ${text} }`).join('\n')),
    ];
  const body = /^export (?:type [^=]+ =|interface [^{]+) ?\{\n(?<body>[\s\S]*)\n\};?$/u.exec(code);
  const members = body?.groups?.['body'];
  if (members === undefined) return [...parts, block(code), ...inUse];
  return [...parts, membersTable(members, uses.members.get(name))];
}

function membersTable(body: string, uses: ReadonlyMap<string, string> | undefined): string {
  const lines = body.split('\n');
  const rows: string[] = [];
  // The formatter indents members by two columns and what belongs to them by more.
  lines.forEach((line, index) => {
    if (!/^ {2}\w/u.test(line)) return;
    const end = lines.findIndex((text, at) => at >= index && /^ {2}\S.*;$/u.test(text));
    const member = lines
      .slice(index, end + 1)
      .join(' ')
      .replaceAll(/\s+/gu, ' ')
      .replaceAll('( ', '(')
      .replaceAll(/,? \)/gu, ')')
      .replace(/^ (?:readonly )?/u, '')
      .replace(/;$/u, '');
    const use = uses?.get(/^\w+\$?/u.exec(member)?.[0] ?? '');
    const inUse = uses === undefined ? '' : ` ${use === undefined ? '' : codeSpan(cell(use))} |`;
    rows.push(`| \`${cell(member)}\` | ${cell(commentAbove(lines, index))} |${inUse}`);
  });
  return uses === undefined
    ? ['| member | meaning |', '|---|---|', ...rows].join('\n')
    : ['| member | meaning | in use |', '|---|---|---|', ...rows].join('\n');
}

function block(code: string): string {
  return ['```ts', code.replace(/^export /u, ''), '```'].join('\n');
}

/** Returns the sentences of a comment, one paragraph a line. */
function plainText(comment: string): string {
  return comment
    .replaceAll(/^\s*\/\*\*\s?|\s*\*\/$/gu, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\*\s?/u, '').trim())
    .join('\n')
    .split(/\n{2,}/u)
    .map((paragraph) => paragraph.replaceAll('\n', ' ').trim())
    .join('\n\n')
    .replaceAll(/\{@link (\w+)\}/gu, '`$1`')
    .trim();
}

/** Text with back ticks of its own stands between two of them. */
function codeSpan(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n\n', '<br>');
}
