/** A line of the view: pieces of text, each in one style. */
import { cellsOf, cut, printable } from './cells.ts';

export type Style = 'plain' | 'bold' | 'dim' | 'red' | 'yellow' | 'green' | 'inverse';

export type Piece = { readonly text: string; readonly style: Style };

export type StyledLine = readonly Piece[];

/** Returns a piece; `text` may come from anywhere. */
export function piece(text: string, style: Style = 'plain'): Piece {
  return { text: printable(text), style };
}

export function lineCells(line: StyledLine): number {
  return line.reduce((sum, { text }) => sum + cellsOf(text), 0);
}

/** Returns the line, or as much of it as fits into that many cells. */
export function cutLine(line: StyledLine, cells: number): StyledLine {
  let left = cells;
  return line.flatMap(({ text, style }) => {
    const fitting = cut(text, left);
    left -= cellsOf(fitting);
    return fitting === '' ? [] : [{ text: fitting, style }];
  });
}

/** Returns a line that is exactly that many cells long. */
export function filledLine(line: StyledLine, cells: number, style: Style = 'plain'): StyledLine {
  const fitting = cutLine(line, cells);
  const space = cells - lineCells(fitting);
  return space > 0 ? [...fitting, { text: ' '.repeat(space), style }] : fitting;
}
