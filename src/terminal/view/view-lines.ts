/**
 * The terminal view as lines: a pure function of the status, the notes and the size. It fits any
 * size: what is least important goes first, and a wide terminal has a second column.
 */
import type { BotStatus } from '../../domain/bot-status.ts';
import type { Remedy } from '../../domain/trading-block.ts';
import { wrapped } from './cells.ts';
import { type Note, noteText } from './recent-notes.ts';
import {
  cutLine,
  filledLine,
  lineCells,
  piece,
  type Style,
  type StyledLine,
} from './styled-line.ts';
import { headingLine } from './table.ts';
import {
  callLines,
  fillLines,
  headerPieces,
  limitLines,
  marketLines,
  orderLines,
  reasonLines,
  strategyLines,
} from './view-parts.ts';

export type ViewSize = { readonly columns: number; readonly rows: number };

export type ViewTexts = {
  /** Address of the live page; undefined if there is none. */
  readonly page: string | undefined;
  /** Path of the log file. */
  readonly log: string;
  /** The command of a remedy as the end of a sentence. */
  readonly commandOf: (remedy: Remedy) => string;
};

/** A part of the view: how many lines it should have at least, wants next, and can have. */
type Part = {
  readonly lines: readonly StyledLine[];
  readonly least: number;
  readonly next: number;
  /** Of the parts for which there is no room, the one with the highest rank goes first. */
  readonly rank: number;
};

const twoColumnsFrom = 140;
const leftColumnCells = 88;
const separator = '  ';
/** Limits in one column with everything else. */
const limitsBelowOthers = 5;
/** A lower terminal has one line at its end. */
const footerRowsFrom = 20;
/** Lines that the notes get, if there are any, before another part has more than its least. */
const notesNext = 5;

/** Returns exactly `size.rows` lines of at most `size.columns` cells. */
export function viewLines(
  status: BotStatus,
  notes: readonly Note[],
  size: ViewSize,
  texts: ViewTexts,
): readonly StyledLine[] {
  const { columns, rows } = size;
  if (rows <= 0 || columns <= 0) return [];
  const footer = footerLines(size, texts);
  const body = Math.max(0, rows - 1 - footer.length);
  const all = [
    headerLine(status, columns),
    ...(columns < twoColumnsFrom
      ? stacked(partsOf(status, columns, texts, limitsBelowOthers), {
          notes,
          cells: columns,
          rows: body,
          texts,
        })
      : sideBySide(status, notes, { columns, rows: body }, texts)),
    ...footer,
  ];
  return all.slice(0, rows).map((line) => cutLine(line, columns));
}

function headerLine(status: BotStatus, cells: number): StyledLine {
  const { left, right } = headerPieces(status);
  const space = cells - lineCells(left) - lineCells(right);
  if (space < separator.length) return filledLine(left, cells);
  return [...left, piece(' '.repeat(space)), ...right];
}

/** Where more can be seen, and how to stop: one line, or two if the page's address is long. */
function footerLines({ columns, rows }: ViewSize, { page, log }: ViewTexts): readonly StyledLine[] {
  const stop = 'Ctrl-C stops it';
  const longer = [
    [`log ${log}`, `${stop} and cancels its orders`],
    [`log ${log}`, stop],
  ];
  const fits = (parts: readonly string[]): boolean => joined(parts).length <= columns;
  const lineOf = (parts: readonly string[]): StyledLine =>
    filledLine([piece(joined(parts), 'dim')], columns);
  const last = longer.find(fits) ?? [stop];
  if (page === undefined) return [lineOf(last)];
  // The part after # lets a browser in for the first time.
  const address = page.replace(/#.*$/u, '');
  const one = longer.map((parts) => [page, ...parts]).find(fits);
  if (one !== undefined) return [lineOf(one)];
  if (rows >= footerRowsFrom) return [lineOf([fits([page]) ? page : address]), lineOf(last)];
  return [lineOf([[address, stop]].find(fits) ?? [stop])];
}

function joined(parts: readonly string[]): string {
  return parts.join(' | ');
}

function partsOf(status: BotStatus, cells: number, texts: ViewTexts, limitCount: number) {
  const reasons = reasonLines(status, cells, texts.commandOf);
  return {
    reasons: { lines: reasons, least: Math.min(2, reasons.length), next: 4, rank: 0 },
    markets: { lines: marketLines(status, cells), least: 2, next: 3, rank: 1 },
    orders: { lines: orderLines(status, cells), least: 3, next: 7, rank: 2 },
    strategies: { lines: strategyLines(status, cells), least: 2, next: 4, rank: 1 },
    limits: { lines: limitLines(status, cells, limitCount), least: 2, next: 4, rank: 5 },
    calls: { lines: callLines(status, cells), least: 1, next: 2, rank: 4 },
    fills: { lines: fillLines(status, cells), least: 2, next: 5, rank: 3 },
  } satisfies Record<string, Part>;
}

type Room = {
  readonly notes: readonly Note[];
  readonly cells: number;
  readonly rows: number;
  readonly texts: ViewTexts;
};

/** Returns the parts one below the other, and the notes in what is left. */
function stacked(
  parts: Readonly<Record<string, Part>>,
  { notes, cells, rows, texts }: Room,
): readonly StyledLine[] {
  const list = Object.values(parts).filter(({ lines }) => lines.length > 0);
  // Never less than the newest note.
  const noteCount = noteLinesMax(notes, cells);
  const forNotes = Math.min(rows, noteCount, 2);
  const given = shareOut(list, rows - forNotes, Math.min(notesNext, noteCount - forNotes));
  const lines = list.flatMap((part) => part.lines.slice(0, given.get(part) ?? 0));
  const rest = rows - lines.length;
  return [...lines, ...noteLines(notes, { cells, rows: rest, texts })];
}

/**
 * Returns how many lines each part gets of `rows`: first what it should have at least, then, while
 * more than `kept` are left, what it wants next, and then the rest.
 */
function shareOut(parts: readonly Part[], rows: number, kept: number): ReadonlyMap<Part, number> {
  const given = new Map<Part, number>();
  let left = rows;
  const give = (part: Part, wanted: number): void => {
    const has = given.get(part) ?? 0;
    const more = Math.min(wanted, part.lines.length) - has;
    // A heading without anything below it says nothing.
    if (more <= 0 || more > left) return;
    given.set(part, has + more);
    left -= more;
  };
  const byRank = [...parts].sort((a, b) => a.rank - b.rank);
  for (const part of byRank) give(part, part.least);
  left -= kept;
  for (const part of byRank)
    for (let wanted = part.least + 1; wanted <= part.next; wanted++) give(part, wanted);
  for (const part of byRank)
    for (let wanted = part.next + 1; wanted <= part.lines.length; wanted++) give(part, wanted);
  return given;
}

function sideBySide(
  status: BotStatus,
  notes: readonly Note[],
  { columns, rows }: ViewSize,
  texts: ViewTexts,
): readonly StyledLine[] {
  const rightCells = columns - leftColumnCells - separator.length;
  const { fills: _fills, ...others } = partsOf(status, leftColumnCells, texts, rows);
  const left = stacked(others, { notes: [], cells: leftColumnCells, rows, texts });
  const fills = fillLines(status, rightCells);
  const right = stacked(
    { fills: { lines: fills, least: 2, next: Math.floor(rows / 3), rank: 0 } },
    { notes, cells: rightCells, rows, texts },
  );
  return left.map((line, row) => [
    ...filledLine(line, leftColumnCells),
    piece(separator),
    ...(right[row] ?? []),
  ]);
}

const noteStyles: Readonly<Record<Note['level'], Style>> = {
  info: 'plain',
  warn: 'yellow',
  alarm: 'red',
};

/** Returns exactly `rows` lines: a heading, and as many of the newest notes as fit, newest last. */
function noteLines(
  notes: readonly Note[],
  {
    cells,
    rows,
    texts,
  }: { readonly cells: number; readonly rows: number; readonly texts: ViewTexts },
): readonly StyledLine[] {
  const shown: StyledLine[] = [];
  let older = notes.length;
  for (; older > 0 && shown.length < rows - 1; older--) {
    const lines = linesOfNote(notes[older - 1] as Note, cells);
    const room = rows - 1 - shown.length;
    shown.unshift(...lines.slice(0, room));
  }
  const hidden = notes.slice(0, older).filter(({ level }) => level !== 'info').length;
  const heading = hidden === 0 ? 'notes' : `notes; older warnings: ${hidden}, in ${texts.log}`;
  const lines = notes.length === 0 ? [] : [headingLine(heading, cells), ...shown];
  const blank = Array.from({ length: Math.max(0, rows - lines.length) }, (): StyledLine => []);
  return [...lines, ...blank].slice(0, Math.max(0, rows));
}

/** Returns how many lines all notes would take, with their heading; 0 without notes. */
function noteLinesMax(notes: readonly Note[], cells: number): number {
  const newest = notes.slice(-notesNext - 2);
  if (newest.length === 0) return 0;
  return newest.reduce((sum, note) => sum + linesOfNote(note, cells).length, 1);
}

function linesOfNote(note: Note, cells: number): readonly StyledLine[] {
  const before = noteText({ ...note, text: '' });
  const style = noteStyles[note.level];
  return wrapped(piece(note.text).text, cells - before.length).map((line, index) => {
    const beginning = index === 0 ? before : ' '.repeat(before.length);
    return [piece(`${beginning}${line}`, style)];
  });
}
