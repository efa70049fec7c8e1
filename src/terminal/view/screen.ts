/**
 * What a terminal shows, and the text that changes it to the next lines: only changed ones are
 * written.
 *
 * Invariant: lines neither wrap nor scroll, even where a terminal takes a character for wider than
 * {@link cellsOf} does.
 */
import { cellsOf } from './cells.ts';
import type { Piece, Style, StyledLine } from './styled-line.ts';

const csi = '\u001b[';
const [wrapOff, wrapOn] = [`${csi}?7l`, `${csi}?7h`];

const isPlain = /^[ -~]*$/u;

export class Screen {
  readonly #coloured: (style: Style, text: string) => string;
  #shown: readonly string[] = [];

  /** `coloured` returns a text with the escapes of its style, or as it is. */
  constructor(coloured: (style: Style, text: string) => string) {
    this.#coloured = coloured;
  }

  /** Returns what to write so that the terminal shows the lines; nothing if it does. */
  show(lines: readonly StyledLine[], how: 'changes' | 'all'): string {
    const next = lines.map((line) => this.#encoded(line));
    const isWhole = how === 'all' || next.length !== this.#shown.length;
    const changed = next.flatMap((text, row) =>
      // Erased first: at the end of a full line, the cursor is still on its last character.
      isWhole || text !== this.#shown[row] ? [`${csi}${row + 1};1H${csi}K${text}`] : [],
    );
    this.#shown = next;
    if (changed.length === 0) return '';
    return [wrapOff, ...changed, `${csi}1;1H`, wrapOn].join('');
  }

  #encoded(line: StyledLine): string {
    let cells = 0;
    return line
      .map((piece: Piece, index) => {
        const text = this.#coloured(piece.style, piece.text);
        cells += cellsOf(piece.text);
        const isLast = index === line.length - 1;
        return isLast || isPlain.test(piece.text) ? text : `${text}${csi}${cells + 1}G`;
      })
      .join('');
  }
}
