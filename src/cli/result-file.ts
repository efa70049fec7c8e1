/**
 * Writes the results of a backtest as one JSON file. The rows of its lists are written one at a
 * time, so that results of any length need little memory.
 *
 * Invariant: the file is complete or does not exist; it equals `JSON.stringify(value, null, 1)`.
 */
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { writeFileAtomically } from '../terminal/atomic-file.ts';

const pieceLength = 65_536;

/** Writes the keys of `head`, at least one, and then `lists`, each as a list of its name. */
export function writeResultFile(
  path: string,
  head: object,
  lists: Readonly<Record<string, Iterable<object>>>,
): Promise<void> {
  return writeFileAtomically(path, (partial) => {
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
