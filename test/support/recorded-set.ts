/** A small recording for backtests: random honest order flow, written as the reader expects it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { OrderFlowRow } from '../../src/market/flow/order-flow-row.ts';
import { RandomOrderFlow } from './random-order-flow.ts';
import { SeededRandom } from './seeded-random.ts';

export const recordedStartMs = 1_675_733_400_000;
/** What a price of the flow, 95 to 105 ticks, is raised by: one tick is then about 1 bps. */
const priceOffset = 9_900;

/** Returns the rows as they are meant, one time per action; `actions` of them. */
export function randomFlow(random: SeededRandom, actions: number): OrderFlowRow[] {
  const flow = new RandomOrderFlow(random);
  const rows: OrderFlowRow[] = [];
  let timeMs = recordedStartMs;
  for (let action = 0; action < actions; action++) {
    timeMs += random.integer(1, 400);
    const made = flow.next();
    made.forEach((row, index) => {
      const place = {
        sequence: rows.length + 1,
        atMicros: timeMs * 1_000,
        endsMessage: index === made.length - 1,
      };
      const isPriced = 'price' in row && row.price !== undefined;
      const priced = isPriced ? { ...row, price: row.price + priceOffset } : row;
      rows.push({ ...priced, ...place } as OrderFlowRow);
    });
  }
  return rows;
}

/** Writes a set `name` below `folder` with an empty book and random flow; returns its rows. */
export function writeRecordedSet(
  folder: string,
  {
    name,
    seed,
    actions,
  }: { readonly name: string; readonly seed: number; readonly actions: number },
): readonly OrderFlowRow[] {
  const rows = randomFlow(new SeededRandom(seed), actions);
  const set = join(folder, name);
  mkdirSync(set, { recursive: true });
  const empty = JSON.stringify({ bids: [], asks: [] });
  writeFileSync(join(set, 'snapshot.json.gz'), gzipSync(empty));
  const lines = eventsOf(rows).map((event) => `${JSON.stringify(event)}\n`);
  writeFileSync(join(set, 'events.ndjson.gz'), gzipSync(lines.join('')));
  return rows;
}

function eventsOf(rows: readonly OrderFlowRow[]): readonly object[] {
  const events: object[] = [];
  const created = new Map<string, object>();
  for (const row of rows) {
    const place = { sequence: row.sequence, timestamp: row.atMicros / 1_000 };
    const hasPrice = 'price' in row && row.price !== undefined;
    const price = hasPrice ? (row.price / 100).toFixed(2) : undefined;
    const volume = 'volume' in row ? String(row.volume) : undefined;
    if (row.kind === 'create') {
      const terms = { type: 'create', id: row.id, side: row.side.toLowerCase(), price };
      created.set(row.id, terms);
      events.push({ ...place, ...terms, volume });
    } else if (row.kind === 'trade') {
      const takerSide = row.makerSide === 'BID' ? 'sell' : 'buy';
      const { makerId, takerId } = row;
      events.push({ ...place, type: 'trade', makerId, takerId, takerSide, price, volume });
    } else if (row.kind === 'delete') {
      events.push({ ...place, type: 'delete', id: row.id });
    } else {
      // An order that keeps its place is written as a delete and a create.
      const again = { ...created.get(row.id), volume, modify: true, keepsPriority: true };
      events.push({ ...place, type: 'delete', id: row.id, modify: true }, { ...place, ...again });
    }
  }
  return events;
}
