/**
 * `docs/glossary.md` against the code: every exported class of `src`, every exported type of
 * `src/domain` and every settings key stands in the second column of one of its rows.
 */
import { allSettingsKeys } from '../../../src/settings/settings-keys.ts';
import type { SourceFile } from '../source-files.ts';
import { codeOf } from '../source-files.ts';

export const glossaryFile = 'docs/glossary.md';

type Row = { readonly term: string; readonly names: readonly string[]; readonly line: number };

/** Returns what the glossary lacks, names too much or has out of order, as sentences. */
export function glossaryProblems(
  sources: readonly SourceFile[],
  documents: readonly SourceFile[],
): string[] {
  const rows = rowsOf(documents.find(({ file }) => file === glossaryFile)?.text ?? '');
  const explained = new Set(rows.flatMap(({ names }) => names));
  const needed = namesOf(sources);
  return [
    ...[...needed]
      .filter(([name]) => !explained.has(name))
      .map(([name, from]) => `${glossaryFile}: no row has \`${name}\`, of ${from}`),
    ...rows.flatMap(({ names, line }) =>
      names
        .filter((name) => !needed.has(name))
        .map((name) => `${glossaryFile}:${line}: nothing is called \`${name}\``),
    ),
    ...rows
      .filter(({ term }, index) => index > 0 && inOrder(rows[index - 1]?.term ?? '', term) > 0)
      .map(({ term, line }) => `${glossaryFile}:${line}: "${term}" is out of order`),
    ...rows.flatMap(({ term, names, line }, index) => {
      const earlier = rows.slice(0, index);
      const twice = names.filter((name) => earlier.some((row) => row.names.includes(name)));
      if (earlier.some((row) => inOrder(row.term, term) === 0)) twice.unshift(term);
      return twice.map((text) => `${glossaryFile}:${line}: "${text}" has an earlier row`);
    }),
  ];
}

/** Returns the names that need a row, with where each comes from. */
export function namesOf(sources: readonly SourceFile[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const source of sources) {
    const isDomain = source.file.startsWith('src/domain/');
    if (!source.file.startsWith('src/')) continue;
    const kinds = isDomain ? '(?:abstract )?class|type|interface' : '(?:abstract )?class';
    const exported = new RegExp(`^export (?:${kinds}) (\\w+)`, 'gmu');
    for (const [, name = ''] of codeOf(source).bare.matchAll(exported))
      names.set(name, source.file);
  }
  for (const { kind, path } of allSettingsKeys()) {
    const key = path.split('.').at(-1) ?? '';
    if (!key.startsWith('<')) names.set(key, `the settings of a ${kind}`);
  }
  return names;
}

/** Returns the rows `| term | names in code font | meaning |`. */
function rowsOf(text: string): Row[] {
  return text.split('\n').flatMap((line, index) => {
    const [, term = '', names = ''] = /^\| ([^|]+) \| ([^|]*)\|/u.exec(line) ?? [];
    if (term === '' || term === 'term' || term.startsWith('-')) return [];
    const inCode = [...names.matchAll(/`([^`]+)`/gu)].map(([, name = '']) => name);
    return [{ term: term.trim(), names: inCode, line: index + 1 }];
  });
}

function inOrder(before: string, after: string): number {
  return before.localeCompare(after, 'en', { sensitivity: 'base', ignorePunctuation: true });
}
