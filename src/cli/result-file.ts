/**
 * Writes the results of a backtest as one JSON text with a list of rows for each name, a row at a
 * time, so that results of any length need little memory.
 *
 * Invariant: the file is whole or not there; it is what `JSON.stringify(value, null, 1)` would give.
 */
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { writeWhole } from '../terminal/atomic-file.ts';

const pieceLength = 65_536;

/** Writes `head`, and after its last key each of `lists`; `head` has keys of its own. */
export function writeResultFile(
  path: string,
  head: object,
  lists: Readonly<Record<string, Iterable<object>>>,
): Promise<void> {
  return writeWhole(path, (partial) => {
    const file = openSync(partial, 'w');
    try {
      for (const piece of piecesOf(head, lists)) writeFileSync(file, piece);
    } finally {
      closeSync(file);
    }
  });
}

function* piecesOf(
  head: object,
  lists: Readonly<Record<string, Iterable<object>>>,
): Generator<string, void> {
  let text = JSON.stringify(head, null, 1).replace(/\n\}$/u, '');
  for (const [name, rows] of Object.entries(lists)) {
    text += `,\n ${JSON.stringify(name)}: [`;
    let isEmpty = true;
    for (const row of rows) {
      const lines = JSON.stringify(row, null, 1).replaceAll('\n', '\n  ');
      text += `${isEmpty ? '' : ','}\n  ${lines}`;
      isEmpty = false;
      if (text.length < pieceLength) continue;
      yield text;
      text = '';
    }
    text += isEmpty ? ']' : '\n ]';
  }
  yield `${text}\n}\n`;
}
