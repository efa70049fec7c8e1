/**
 * Text in the cells of a terminal: how many it takes, and how it is cut, padded and wrapped.
 *
 * Terminals disagree about the width of some characters, such as emoji. So a wrong guess here must
 * do no more harm than a gap or a cut: whoever writes a line places what follows such a character.
 */

/** Printable ASCII: each character takes one cell. */
const isPlain = /^[ -~]*$/u;
const scripts = ['Han', 'Hangul', 'Hiragana', 'Katakana', 'Yi'].map(
  (name) => `\\p{Script=${name}}`,
);
const isWide = new RegExp(
  `[${scripts.join('')}\\p{Emoji_Presentation}\\u3000-\\u303e\\u3105-\\u312f\\u3200-\\u33ff` +
    '\\ufe30-\\ufe6f\\uff01-\\uff60\\uffe0-\\uffe6]',
  'u',
);
const isMark = /\p{M}/u;

/** Returns the text on one line, without what could move the cursor or cover other lines. */
export function printable(text: string): string {
  if (isPlain.test(text)) return text;
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1');
}

export function cellsOf(text: string): number {
  if (isPlain.test(text)) return text.length;
  let cells = 0;
  for (const character of text) cells += cellsOfCharacter(character);
  return cells;
}

/** Returns the text, or as much of it as fits, with a mark that something is left out. */
export function cut(text: string, cells: number): string {
  if (cells <= 0) return '';
  if (cellsOf(text) <= cells) return text;
  return `${firstCells(text, cells - 1)}…`;
}

/** Returns the text, cut or padded to exactly that many cells. */
export function padded(text: string, cells: number, align: 'left' | 'right' = 'left'): string {
  const fitting = cut(text, cells);
  const space = ' '.repeat(Math.max(0, cells - cellsOf(fitting)));
  return align === 'left' ? `${fitting}${space}` : `${space}${fitting}`;
}

/** Returns the text in lines of at most that many cells, broken between words where possible. */
export function wrapped(text: string, cells: number): readonly string[] {
  const width = Math.max(2, cells);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (cellsOf(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (cellsOf(line) > width) {
      const part = firstCells(line, width);
      lines.push(part);
      line = line.slice(part.length);
    }
  }
  return [...lines, line];
}

/** Returns the longest beginning that fits; a mark stays with the character before it. */
function firstCells(text: string, cells: number): string {
  let [used, length] = [0, 0];
  for (const character of text) {
    used += cellsOfCharacter(character);
    if (used > cells) break;
    length += character.length;
  }
  return text.slice(0, length);
}

function cellsOfCharacter(character: string): number {
  if (isPlain.test(character)) return 1;
  if (isMark.test(character)) return 0;
  return isWide.test(character) ? 2 : 1;
}
