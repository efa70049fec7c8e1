/**
 * Judges a home whose processes have ended: the bot's database, read as plain SQL, against what the
 * exchange itself recorded. It shares no code with the bot.
 *
 * Invariants by their names: I1 one order per intent, I2 stored before it left, I3 fills are the
 * trades, I4 sums, I5 ledgers, I6 positions, I7 nothing left open, I8 nothing stuck.
 */
import { join } from 'node:path';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { Decimal } from 'decimal.js';
import { createClock } from '../../src/runtime/clock.ts';
import { createTimers } from '../../src/runtime/timers.ts';
import { startSimulatorServer } from '../../src/venues/luno/simulator/server/simulator-server.ts';
import type { Truth } from '../../src/venues/luno/simulator/world/truth.ts';

const Exact = Decimal.clone({ precision: 100 });

export type Verdict = {
  readonly orders: number;
  readonly fills: number;
  /** Orders that the exchange has more than once under one of our ids. */
  readonly duplicates: number;
  readonly lostFills: number;
  readonly inventedFills: number;
  /** Orders at the exchange without an intent and an attempt that were stored before. */
  readonly unstoredOrders: number;
  readonly positionDifferences: number;
  /** Everything that is wrong, the above included, in words. */
  readonly violations: readonly string[];
};

type OrderRow = {
  readonly intentId: number;
  readonly clientOrderId: string;
  readonly orderId: string | null;
  readonly state: string;
  readonly volume: string;
  readonly base: string;
  readonly counter: string;
  readonly feeBase: string;
  readonly feeCounter: string;
  readonly createdMs: number;
  readonly completedMs: number | null;
};
type AttemptRow = {
  readonly intentId: number;
  readonly atMs: number;
  readonly timestampMs: number;
  readonly ttlMs: number;
};
type EvidenceRow = {
  readonly intentId: number;
  readonly state: string;
  readonly atMs: number;
};
type FillRow = {
  readonly sequence: string;
  readonly orderId: string;
  readonly side: string;
  readonly price: string;
  readonly base: string;
  readonly counter: string;
  readonly feeBase: string;
  readonly feeCounter: string;
};
type LedgerRow = {
  readonly accountId: string;
  readonly rowIndex: number;
  readonly balance: string;
  readonly balanceDelta: string;
  readonly available: string;
  readonly availableDelta: string;
};

/**
 * An exchange that was killed goes on at the end of what it may have published, up to a second
 * ahead, and waits for the machine; until then a bot may have learned that it is so much ahead.
 */
const clockStepMs = 1_100;

/** What explains is written every second, if the machine lets it. */
const lostMsMax = 2_500;
/** More than the bot of the proof begins and ends in a second: it may place ten orders in one. */
const missingPerKillMax = 24;

const comparedStates = ['completing', 'filled', 'cancelled'];
const finals = ['filled', 'cancelled', 'rejected', 'absent', 'unsent'];

/** Reads both sides and compares them; nothing of the home may be running. */
export async function judgeHome(home: string, database: string): Promise<Verdict> {
  const truth = await truthOfHome(join(home, 'simulator'));
  const store = new SqliteDatabase(database, { readonly: true });
  try {
    return new Judge(truth, store).verdict();
  } finally {
    store.close();
  }
}

/** Opens the exchange where it was left, nobody trading, and asks it for its own books. */
async function truthOfHome(folder: string): Promise<Truth & { readonly faults: string[] }> {
  const server = await startSimulatorServer({
    folder,
    port: 0,
    seed: 1,
    clock: createClock(),
    timers: createTimers(),
    fail: (error) => {
      throw error;
    },
  });
  try {
    return { ...server.simulator.truth('desk'), faults: server.simulator.faults() };
  } finally {
    await server.close();
  }
}

/** What a kill may have cost: at most so many orders lack evidence of the last second before. */
class EvidenceLoss {
  readonly #aliveMs: number;
  readonly #nextMs: number;
  #missing = 0;

  /** The run was alive at `aliveMs`, and another one began at `nextMs`. */
  constructor(aliveMs: number, nextMs: number) {
    this.#aliveMs = aliveMs;
    this.#nextMs = nextMs;
  }

  /** Whether this kill may have lost the order's first evidence; if so, counts it. */
  mayMissStart({ createdMs }: OrderRow): boolean {
    const wasNew = createdMs >= this.#aliveMs - lostMsMax && createdMs < this.#nextMs;
    return wasNew && this.#count();
  }

  /** As {@link mayMissStart}, for the evidence of its last state. */
  mayMissEnd({ createdMs, completedMs }: OrderRow, known: readonly EvidenceRow[]): boolean {
    const seenMs = Math.max(createdMs, ...known.map(({ atMs }) => atMs));
    // The state was stored before the kill, so the order had reached it at the exchange, too.
    const reachedMs = (completedMs ?? 0) - clockStepMs;
    return seenMs < this.#nextMs && reachedMs < this.#nextMs && this.#count();
  }

  #count(): boolean {
    this.#missing++;
    return this.#missing <= missingPerKillMax;
  }
}

class Judge {
  readonly #truth: Truth & { readonly faults: readonly string[] };
  readonly #store: Database;
  readonly #violations: string[] = [];

  constructor(truth: Truth & { readonly faults: readonly string[] }, store: Database) {
    this.#truth = truth;
    this.#store = store;
  }

  verdict(): Verdict {
    for (const fault of this.#truth.faults) this.#say(`the exchange: ${fault}`);
    const orders = this.#rows<OrderRow>(
      `SELECT intent_id AS intentId, client_order_id AS clientOrderId, order_id AS orderId, state,
         volume, base, counter, fee_base AS feeBase, fee_counter AS feeCounter,
         created_ms AS createdMs, completed_ms AS completedMs FROM orders`,
    );
    const { duplicates, unstoredOrders } = this.#judgeOrders(orders);
    const fills = this.#judgeFills(orders);
    this.#judgeHistory(orders);
    for (const { code, text } of this.#rows<{ code: string; text: string }>(
      'SELECT code, text FROM incidents',
    ))
      this.#say(`incident ${code}: ${text}`);
    return {
      orders: this.#truth.orders.length,
      fills: this.#truth.trades.length,
      duplicates,
      unstoredOrders,
      ...fills,
      positionDifferences: this.#judgeLedger(),
      violations: this.#violations,
    };
  }

  #say(what: string): void {
    this.#violations.push(what);
  }

  #rows<Row>(sql: string): readonly Row[] {
    return this.#store.prepare<[], Row>(sql).all();
  }

  /** I1, I2, I7 and I8. */
  #judgeOrders(orders: readonly OrderRow[]): { duplicates: number; unstoredOrders: number } {
    const attempts = Map.groupBy(
      this.#rows<AttemptRow>(
        `SELECT intent_id AS intentId, at_ms AS atMs, timestamp_ms AS timestampMs, ttl_ms AS ttlMs
         FROM attempts`,
      ),
      (attempt) => attempt.intentId,
    );
    const stored = new Map(orders.map((order) => [order.clientOrderId, order]));
    const seen = new Set<string>();
    let duplicates = 0;
    let unstoredOrders = 0;
    for (const real of this.#truth.orders) {
      const id = real.client_order_id;
      if (seen.has(id)) {
        duplicates++;
        this.#say(`I1 ${id} is at the exchange twice`);
      }
      seen.add(id);
      if (real.status !== 'COMPLETE') this.#say(`I7 ${id} is still ${real.status}`);
      const row = stored.get(id);
      const takenMs = real.creation_timestamp;
      const tries = attempts.get(row?.intentId ?? -1) ?? [];
      const isAttempted = tries.some(
        ({ timestampMs, ttlMs }) =>
          timestampMs <= takenMs + clockStepMs && takenMs <= timestampMs + ttlMs,
      );
      if (row === undefined || !isAttempted) {
        unstoredOrders++;
        const told = tries.map((one) => `${one.timestampMs}+${one.ttlMs}, sent ${one.atMs}`);
        const what = row === undefined ? 'no intent' : `attempts of ${told.join(' and ')}`;
        this.#say(`I2 ${id} was taken at ${takenMs}, the store has ${what}`);
      }
      if (row !== undefined && row.orderId !== real.order_id)
        this.#say(`I1 ${id} is ${real.order_id} at the exchange, here ${row.orderId}`);
    }
    for (const { clientOrderId: id, state, orderId } of orders) {
      if (!finals.includes(state)) this.#say(`I8 ${id} is stuck in ${state}`);
      const isThere = seen.has(id);
      // What was refused by the exchange never became an order there.
      if (isThere !== (orderId !== null) && state !== 'rejected')
        this.#say(`I1 ${id} is ${state} here, ${isThere ? 'and' : 'and not'} at the exchange`);
    }
    return { duplicates, unstoredOrders };
  }

  /** I3 and I4. */
  #judgeFills(orders: readonly OrderRow[]): { lostFills: number; inventedFills: number } {
    const ours = this.#rows<FillRow>(
      `SELECT CAST(sequence AS TEXT) AS sequence, order_id AS orderId, side, price, base, counter,
         fee_base AS feeBase, fee_counter AS feeCounter FROM fills
       ORDER BY traded_ms, fills.sequence`,
    );
    const textOf = (fill: FillRow): string =>
      [fill.side, fill.price, fill.base, fill.feeBase, fill.feeCounter]
        .map((value) => (/^[\d.]+$/u.test(value) ? new Exact(value).toFixed() : value))
        .join(' ');
    const known = new Map(ours.map((fill) => [`${fill.sequence} ${fill.orderId}`, textOf(fill)]));
    if (known.size !== ours.length) this.#say('I3 a fill is stored twice');
    const units = (value: bigint): string => new Exact(value.toString()).div('1e18').toFixed();
    let lostFills = 0;
    const keys: string[] = [];
    for (const trade of this.#truth.trades) {
      const key = `${trade.sequence} ${trade.orderId}`;
      keys.push(key);
      const own = known.get(key);
      const volume = new Exact(trade.volume).div(1e6).toFixed();
      const real = [trade.side, trade.price, volume, units(trade.feeBase), units(trade.feeCounter)];
      if (own === undefined) lostFills++;
      if (own !== real.join(' ')) this.#say(`I3 trade ${key} is ${real.join(' ')}, here ${own}`);
    }
    const happened = new Set(keys);
    const invented = ours.filter((fill) => !happened.has(`${fill.sequence} ${fill.orderId}`));
    for (const fill of invented)
      this.#say(`I3 fill ${fill.sequence} ${fill.orderId} never happened`);
    // Two of our orders may have met in one trade.
    const told = ours.map(({ sequence }) => sequence).join();
    const real = this.#truth.trades.map(({ sequence }) => sequence).join();
    if (lostFills === 0 && invented.length === 0 && told !== real)
      this.#say('I3 the fills are not in the order of the trades');

    const records = new Map(this.#truth.orders.map((one) => [one.client_order_id, one]));
    for (const row of orders) {
      const real = records.get(row.clientOrderId);
      if (real === undefined) continue;
      const told = [real.base, real.counter, real.fee_base, real.fee_counter];
      const kept = [row.base, row.counter, row.feeBase, row.feeCounter];
      if (told.some((amount, index) => !new Exact(amount).eq(kept[index] ?? NaN)))
        this.#say(`I4 ${row.clientOrderId}: the exchange has ${told.join()}, here ${kept.join()}`);
      const isWhole = new Exact(real.base).eq(row.volume);
      if ((row.state === 'filled') !== isWhole)
        this.#say(`I4 ${row.clientOrderId} is ${row.state} with ${real.base} of ${row.volume}`);
    }
    return { lostFills, inventedFills: invented.length };
  }

  /** The order of what was stored: an intent, its first attempt in the same run, its states. */
  #judgeHistory(orders: readonly OrderRow[]): void {
    const foreign = this.#rows<{ clientOrderId: string }>(
      `SELECT o.client_order_id AS clientOrderId FROM attempts a JOIN orders o USING (intent_id)
       WHERE a.at_ms < o.created_ms OR (a.number = 1 AND EXISTS (
         SELECT 1 FROM runs r WHERE r.started_ms > o.created_ms AND r.started_ms <= a.at_ms))`,
    );
    for (const { clientOrderId } of foreign)
      this.#say(`P5 ${clientOrderId} was first sent by another run than wished for it`);
    const evidence = this.#rows<EvidenceRow>(
      'SELECT intent_id AS intentId, state, at_ms AS atMs FROM evidence ORDER BY id',
    );
    const states = Map.groupBy(evidence, ({ intentId }) => intentId);
    const losses = this.#losses(orders, evidence);
    for (const order of orders) {
      const { intentId, clientOrderId, state } = order;
      const known = states.get(intentId) ?? [];
      const steps = known.map((step) => step.state);
      const firstFinal = steps.findIndex((step) => finals.includes(step));
      const hasStart = steps[0] === 'waiting' || losses.some((loss) => loss.mayMissStart(order));
      const hasEnd = steps.at(-1) === state || losses.some((loss) => loss.mayMissEnd(order, known));
      if (!hasStart || !hasEnd)
        this.#say(`I17 ${clientOrderId} is ${state}, its evidence says ${steps.join(' ')}`);
      // An order that ended by its stop and the user stream has its record compared later.
      const later = firstFinal === -1 ? [] : steps.slice(firstFinal + 1);
      const mayBeCompared = steps[firstFinal] === 'cancelled' || steps[firstFinal] === 'filled';
      if (later.some((step) => !mayBeCompared || !comparedStates.includes(step)))
        this.#say(`I17 ${clientOrderId} went on after its end: ${steps.join(' ')}`);
    }
  }

  /** What the ends of runs may have cost: a kill loses the evidence of the last second. */
  #losses(orders: readonly OrderRow[], evidence: readonly EvidenceRow[]): readonly EvidenceLoss[] {
    const runs = this.#rows<{ startedMs: number; closed: number }>(
      'SELECT started_ms AS startedMs, closed FROM runs ORDER BY run_id',
    );
    const attempts = this.#rows<{ atMs: number }>('SELECT at_ms AS atMs FROM attempts');
    const signsMs = [...attempts, ...evidence].map(({ atMs }) => atMs);
    for (const { createdMs } of orders) signsMs.push(createdMs);
    return runs.flatMap(({ startedMs, closed }, index) => {
      const nextMs = runs[index + 1]?.startedMs;
      if (closed === 1 || nextMs === undefined) return [];
      const seenMs = signsMs.filter((atMs) => startedMs <= atMs && atMs < nextMs);
      return [new EvidenceLoss(Math.max(startedMs, ...seenMs), nextMs)];
    });
  }

  /** I5 and I6; returns in how many currencies a position is wrong. */
  #judgeLedger(): number {
    const rows = Map.groupBy(
      this.#rows<LedgerRow>(
        `SELECT account_id AS accountId, row_index AS rowIndex, balance,
           balance_delta AS balanceDelta, available, available_delta AS availableDelta
         FROM ledger ORDER BY account_id, row_index`,
      ),
      ({ accountId }) => accountId,
    );
    const traded = this.#traded();
    let differences = 0;
    for (const account of this.#truth.accounts) {
      const change = traded.get(account.currency);
      if (change === undefined) continue;
      const own = rows.get(account.id) ?? [];
      if (own.length !== account.rows.length)
        this.#say(`I5 ${account.currency} has ${account.rows.length} rows, here ${own.length}`);
      let other = new Exact(0);
      for (const [index, real] of account.rows.entries()) {
        const row = own[index];
        const told = [real.row_index, real.balance, real.balance_delta];
        told.push(real.available, real.available_delta);
        const kept = [row?.rowIndex, row?.balance, row?.balanceDelta];
        kept.push(row?.available, row?.availableDelta);
        if (told.some((value, at) => !new Exact(value).eq(kept[at] ?? NaN)))
          this.#say(`I5 row ${real.row_index} of ${account.currency} is not what is stored`);
        if (real.detail_fields?.trade_details == null) other = other.plus(real.balance_delta);
      }
      if (other.plus(change).eq(account.balance)) continue;
      differences++;
      this.#say(
        `I6 ${account.currency} is ${account.balance}, our fills change ${other} by ${change}`,
      );
    }
    return differences;
  }

  /** What our fills change in each currency, fees included. */
  #traded(): ReadonlyMap<string, Decimal> {
    let base = new Exact(0);
    let counter = new Exact(0);
    for (const fill of this.#rows<FillRow>(
      `SELECT side, base, counter, fee_base AS feeBase, fee_counter AS feeCounter FROM fills`,
    )) {
      const sign = fill.side === 'BID' ? 1 : -1;
      base = base.plus(new Exact(fill.base).times(sign)).minus(fill.feeBase);
      counter = counter.minus(new Exact(fill.counter).times(sign)).minus(fill.feeCounter);
    }
    return new Map([
      ['XBT', base],
      ['ZAR', counter],
    ]);
  }
}
