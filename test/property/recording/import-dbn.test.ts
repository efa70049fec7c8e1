/**
 * An imported file of order records ends with the book of Databento's documents, queues included.
 *
 * Method: random events of a venue that repeats each fill with a cancel, some within a clear, a
 * snapshot or a gap. A slow book follows the documents: a trade, a fill or no action changes
 * nothing, a cancel takes its size, a clear deletes all orders.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeRecording } from '../../../src/recording/file/flow-source.ts';
import { Recording } from '../../../src/recording/file/recording.ts';
import { importDbn } from '../../../src/recording/import/import-dbn.ts';
import { playedBook } from '../../support/compiled-flow.ts';
import { dbnHead, dbnRecord } from '../../support/dbn-bytes.ts';
import { SeededRandom } from '../../support/seeded-random.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-dbn-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type DbnInput = Parameters<typeof dbnRecord>[0];
type Order = { readonly id: number; readonly side: string; readonly price: number; size: number };

const none = { id: 0, side: 'N', size: 0 };

class RandomRecords {
  readonly records: DbnInput[] = [];
  readonly #random: SeededRandom;
  #book = new Map<number, Order>();
  #at = 1_000;
  #lastId = 0;

  constructor(random: SeededRandom) {
    this.#random = random;
    for (let events = random.integer(5, 60); events > 0; events--) this.#addEvent();
    // Bids are below 9 and asks are not, so that the book is never crossed.
    this.#end([this.#create({ side: 'B', price: 1, size: 1 })]);
  }

  /** Each order's side, price and size, in queue order at each price. */
  get queues(): readonly string[] {
    const orders = [...this.#book.values()].sort((a, b) => a.price - b.price);
    return orders.map(({ side, price, size }) => `${side} ${price} ${size}`);
  }

  #addEvent(): void {
    const random = this.#random;
    this.#at += random.integer(0, 3) * 10;
    const ids = [...this.#book.keys()];
    const choice = random.integer(0, 20);
    if (choice === 0) this.#end([this.#clear(), ...(random.integer(0, 1) ? [this.#any()] : [])]);
    else if (choice === 1) this.#addSnapshot();
    else if (choice === 2) this.#end([{ at: this.#at, ...none, action: 'N' }]);
    else if (choice < 9 || ids.length === 0) this.#end([this.#any()]);
    else if (choice < 14) this.#end(this.#trade(ids));
    else this.#end([this.#cut(random.pick(ids), random.pick(['C', 'M']))]);
  }

  #end(event: readonly DbnInput[]): void {
    const maybeBad = this.#random.integer(0, 9) === 0 ? 4 : 0;
    for (const [index, record] of event.entries())
      this.records.push({ ...record, flags: maybeBad + (index === event.length - 1 ? 128 : 0) });
  }

  #any(): DbnInput {
    const side = this.#random.pick(['B', 'A']);
    const price = this.#random.integer(1, 8) + (side === 'A' ? 8 : 0);
    return this.#create({ side, price, size: this.#random.integer(2, 9) });
  }

  #create(order: Omit<Order, 'id'>): DbnInput {
    const created = { id: ++this.#lastId, ...order };
    this.#book.set(created.id, { ...created });
    return { at: this.#at, action: 'A', ...created };
  }

  #clear(): DbnInput {
    this.#book.clear();
    return { at: this.#at, ...none, action: 'R' };
  }

  /** A cancel of a part or all, or a change to less volume that keeps the place. */
  #cut(id: number, action: string): DbnInput {
    const order = this.#book.get(id);
    if (order === undefined) throw new Error(`no order ${id}`);
    const size = this.#random.integer(1, order.size);
    const record = { at: this.#at, ...order, action, size };
    order.size = action === 'M' ? size : order.size - size;
    if (order.size === 0) this.#book.delete(id);
    return record;
  }

  /** Fills with the cancels that repeat them, at once or after all fills, and larger cancels. */
  #trade(ids: readonly number[]): DbnInput[] {
    const random = this.#random;
    const event: DbnInput[] = [{ at: this.#at, ...none, id: 1_000_000, action: 'T', price: 5 }];
    const later: DbnInput[] = [];
    for (const id of ids.filter(() => random.integer(0, 2) === 0)) {
      const cancel = this.#cut(id, 'C');
      event.push({ ...cancel, action: 'F' });
      (random.integer(0, 1) === 0 ? event : later).push(cancel);
      if (this.#book.has(id) && random.integer(0, 3) === 0) later.push(this.#cut(id, 'C'));
    }
    return [...event, ...later];
  }

  /** A snapshot of most of the book, with or without a clear; only a clear if it is empty. */
  #addSnapshot(): void {
    const kept = [...this.#book.values()].filter(() => this.#random.integer(0, 2) > 0);
    this.#book = new Map(kept.map((order) => [order.id, order]));
    const base = { at: 5, receivedAt: this.#at + 3, flags: 40 };
    const records: DbnInput[] = kept.map((order) => ({ ...base, action: 'A', ...order }));
    if (records.length === 0 || this.#random.integer(0, 1) === 0)
      records.unshift({ ...base, ...none, action: 'R' });
    this.records.push(...records.slice(0, -1), { ...(records.at(-1) as DbnInput), flags: 168 });
    this.#at += 10;
  }
}

test.each(Array.from({ length: 60 }, (_, index) => index + 1))(
  'an imported file ends with the queues of the documents, seed %i',
  async (seed) => {
    const random = new RandomRecords(new SeededRandom(seed));
    const path = join(folder, `${seed}.dbn`);
    writeFileSync(path, Buffer.concat([dbnHead(), ...random.records.map(dbnRecord)]));
    const scales = { priceScale: 0, volumeScale: undefined };
    const source = await importDbn(path, { base: 'ES', counter: 'USD', ...scales });
    const { index } = await writeRecording(source, `${path}.mrec`);
    const recording = new Recording(`${path}.mrec`);
    const part = await recording.part();
    const book = await playedBook(part.resting, part.blocks);
    recording.close();
    const queues = (['BID', 'ASK'] as const).flatMap((side) => {
      const levels = [...book.levels(side)].sort((a, b) => a.price - b.price);
      return levels.flatMap(({ price }) =>
        [...book.ordersAt(side, price)].map(
          (slot) => `${side === 'BID' ? 'B' : 'A'} ${price} ${book.volumeOf(slot)}`,
        ),
      );
    });
    expect(queues).toEqual(random.queues);
    expect(index.counts).toMatchObject({ unknownOrders: 0, excessVolumes: 0, timesWentBack: 0 });
  },
);
