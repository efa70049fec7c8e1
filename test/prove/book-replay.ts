/**
 * Replays a recorded day and compares the rebuilt book with the exchange's own snapshots, ten
 * levels a side, price and volume.
 */
import { join } from 'node:path';
import { parseLots, parseTicks, type Scales, type Side } from '../../src/domain/market.ts';
import type { Lots } from '../../src/domain/money.ts';
import { BookError } from '../../src/market/book/book-error.ts';
import type { IdentifiedBook } from '../../src/market/book/identified-book.ts';
import type { OrderFlowRow } from '../../src/market/flow/order-flow-row.ts';
import { readGzipLines } from '../../src/recording/import/gzip-lines.ts';
import { OrderFlowReader, readFlowSnapshot } from '../../src/recording/import/order-flow-reader.ts';

export type ReplayFigures = {
  readonly replayedEvents: number;
  readonly snapshotsCompared: number;
  readonly snapshotsEqual: number;
  /** Rows that did not fit the book. */
  readonly rowsRefused: number;
};

type OracleLevels = readonly (readonly [string, string])[];
type OracleRow = {
  readonly afterSequence: number;
  readonly bids: OracleLevels;
  readonly asks: OracleLevels;
};

/** Replays the set in `folder` into `target`. */
export async function replayAgainstOracle(
  folder: string,
  scales: Scales,
  target: IdentifiedBook,
): Promise<ReplayFigures> {
  const derived = join(folder, 'derived');
  const oracle = await readOracle(join(derived, 'oracle.ndjson.gz'));
  const resting = await readFlowSnapshot(join(derived, 'snapshot.json.gz'), scales);
  for (const { id, side, price, volume } of resting) target.create(id, side, price, volume);
  let next = 0;
  let snapshotsEqual = 0;
  let rowsRefused = 0;
  const compareUpTo = (sequence: number): void => {
    for (let row = oracle[next]; row && row.afterSequence <= sequence; row = oracle[++next])
      if (equalsOracle(target, row, scales)) snapshotsEqual++;
  };
  compareUpTo(0);
  let replayedEvents = 0;
  for await (const row of new OrderFlowReader(join(derived, 'events.ndjson.gz'), scales)) {
    if (!applyRow(target, row)) rowsRefused++;
    compareUpTo(row.sequence);
    replayedEvents++;
  }
  return { replayedEvents, snapshotsCompared: oracle.length, snapshotsEqual, rowsRefused };
}

async function readOracle(path: string): Promise<OracleRow[]> {
  const rows: OracleRow[] = [];
  for await (const lines of readGzipLines(path))
    for (const line of lines) if (line !== '') rows.push(JSON.parse(line) as OracleRow);
  return rows;
}

/** Returns whether the row fitted the book. */
function applyRow(target: IdentifiedBook, row: OrderFlowRow): boolean {
  try {
    if (row.kind === 'create') {
      target.create(row.id, row.side, row.price, row.volume);
      return true;
    }
    const slot = target.slotOf(row.kind === 'trade' ? row.makerId : row.id);
    if (row.kind === 'delete') target.remove(slot);
    else if (row.kind === 'trade') target.reduce(slot, row.volume);
    else target.reduce(slot, (target.book.volumeOf(slot) - row.volume) as Lots);
    return true;
  } catch (error) {
    if (error instanceof BookError) return false;
    throw error;
  }
}

function equalsOracle(target: IdentifiedBook, row: OracleRow, scales: Scales): boolean {
  return equalsSide(target, 'BID', row.bids, scales) && equalsSide(target, 'ASK', row.asks, scales);
}

function equalsSide(
  target: IdentifiedBook,
  side: Side,
  expected: OracleLevels,
  scales: Scales,
): boolean {
  const levels = target.book.levels(side, 10);
  return (
    levels.length === expected.length &&
    expected.every(([price, volume], index) => {
      const level = levels[index];
      return (
        level?.price === parseTicks(price, scales) && level?.volume === parseLots(volume, scales)
      );
    })
  );
}
