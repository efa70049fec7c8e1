/**
 * Finds code that occurs twice in `src`: runs of equal lines of code. Lines are compared without
 * indentation; imports, comments, empty lines and lines of punctuation alone are left out.
 */
import { withoutImports } from './imports.ts';
import { codeOf, type SourceFile } from './source-files.ts';

/** Shorter runs do not count: signatures and calls with many arguments are alike by nature. */
export const blockLinesMin = 6;

type Place = { readonly file: string; readonly line: number };
type CodeLine = Place & { readonly text: string };
export type DuplicateBlock = { readonly places: readonly [Place, Place]; readonly lines: number };

/** Returns each pair of places with equal runs of {@link blockLinesMin} lines or more, once. */
export function duplicateBlocks(sources: readonly SourceFile[]): DuplicateBlock[] {
  const lines = sources.filter(({ file }) => file.startsWith('src/')).flatMap(codeLinesOf);
  const isEqual = (first: number, second: number): boolean =>
    lines[first] !== undefined && lines[first].text === lines[second]?.text;
  const starts = new Map<string, number[]>();
  const found: DuplicateBlock[] = [];
  for (let second = 0; second + blockLinesMin <= lines.length; second++) {
    const block = lines.slice(second, second + blockLinesMin);
    const key = block.map(({ text }) => text).join('\n');
    const earlier = starts.get(key) ?? [];
    for (const first of earlier) {
      const [one, other] = [lines[first], lines[second]];
      if (one === undefined || other === undefined) continue;
      // A run is counted where it begins, and not against itself a few lines further on.
      if (isEqual(first - 1, second - 1)) continue;
      if (one.file === other.file && second - first < blockLinesMin) continue;
      let length = blockLinesMin;
      while (isEqual(first + length, second + length)) length++;
      found.push({ places: [one, other], lines: length });
    }
    starts.set(key, [...earlier, second]);
  }
  return found;
}

/** Returns the lines of code of a file, and one that no other file has as their end. */
function codeLinesOf(source: SourceFile): CodeLine[] {
  const { file } = source;
  const lines = withoutImports(codeOf(source).withStrings)
    .split('\n')
    .map((line, index) => ({ file, line: index + 1, text: line.trim() }))
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
  return [...lines, { file, line: 0, text: `end of ${file}` }];
}
