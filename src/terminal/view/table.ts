/** A table in the cells of a terminal: where it is too wide, the least important columns go. */
import { cellsOf, padded } from './cells.ts';
import { cutLine, filledLine, piece, type Style, type StyledLine } from './styled-line.ts';

export type Column<Row> = {
  readonly heading: string;
  readonly align: 'left' | 'right';
  /** Of the columns that do not fit, the one with the highest number goes first. */
  readonly rank: number;
  readonly textOf: (row: Row) => string;
  readonly styleOf?: (row: Row) => Style;
};

const gap = 2;

/** Returns a line with the headings, and a line for each row; none without rows. */
export function tableLines<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  cells: number,
): readonly StyledLine[] {
  if (rows.length === 0) return [];
  const measured = columns.map((column) => {
    const texts = rows.map((row) => piece(column.textOf(row)).text);
    const width = Math.max(...[column.heading, ...texts].map(cellsOf));
    return { column, texts, width };
  });
  const isSaying = measured.filter(({ texts }) => texts.some((text) => text !== ''));
  const kept = fitting(isSaying, cells);
  const heading = kept.map(({ column, width }) => padded(column.heading, width, column.align));
  const lines = rows.map((row, index) =>
    kept.flatMap(({ column, texts, width }, place) => {
      const text = padded(texts[index] ?? '', width, column.align);
      const before = place === 0 ? [] : [piece(' '.repeat(gap))];
      return [...before, piece(text, column.styleOf?.(row) ?? 'plain')];
    }),
  );
  return [
    headingLine(heading.join(' '.repeat(gap)), cells),
    ...lines.map((line) => cutLine(line, cells)),
  ];
}

/** Returns the line above a part of the view. */
export function headingLine(text: string, cells: number): StyledLine {
  return filledLine([piece(text, 'inverse')], cells, 'inverse');
}

function fitting<Row>(
  columns: readonly {
    readonly column: Column<Row>;
    readonly texts: readonly string[];
    readonly width: number;
  }[],
  cells: number,
) {
  let kept = columns;
  const isTooWide = () => kept.reduce((sum, { width }) => sum + width + gap, -gap) > cells;
  while (kept.length > 1 && isTooWide()) {
    const least = Math.max(...kept.map(({ column }) => column.rank));
    kept = kept.filter(({ column }) => column.rank !== least);
  }
  return kept;
}
