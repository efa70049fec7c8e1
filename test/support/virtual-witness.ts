/**
 * What a simulated run is judged by while it goes on: what was committed, what left, what the
 * exchange accepted. It shares no code with the executor.
 */
import type { BotSettings } from '../../src/domain/bot-settings.ts';
import { Decimal } from '../../src/domain/money.ts';
import { isFinal } from '../../src/domain/order.ts';
import type { OrderRow, StoreRecord } from '../../src/domain/records.ts';
import type { Truth } from '../../src/venues/luno/simulator/world/truth.ts';
import type { WireEffect } from './wire-effect.ts';

type Request = WireEffect;

export class Witness {
  readonly violations: string[] = [];
  /** Incidents by code, as they were committed. */
  readonly incidents: { readonly code: string; readonly text: string }[] = [];
  readonly calls = new Map<string, number>();
  throttled = 0;
  /** The limits are held against the truth at every so many accepted orders. */
  limitsEvery = 1;
  /** Whether the exchange is one that keeps the time to live. */
  readonly #isTtlKept: boolean;
  accepted = 0;
  readonly #settings: BotSettings;
  readonly #orders = new Map<string, OrderRow>();
  readonly #clientOrderIds = new Map<number, string>();
  /** Attempts by client order id: timestamp and ttl, as committed. */
  readonly #attempts = new Map<
    string,
    { readonly timestampMs: number; readonly ttlMs: number }[]
  >();
  /** Base of all fills that were committed, by intent. */
  readonly #filled = new Map<number, Decimal>();
  readonly #truth: () => Truth;
  /** What the trades until `sequence` did to the position. */
  readonly #counted = { sequence: -1n, lots: 0, feeUnits: 0n };

  /** How often there was an incident of each code. */
  get incidentCounts(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { code } of this.incidents) counts[code] = (counts[code] ?? 0) + 1;
    return counts;
  }

  constructor(settings: BotSettings, truth: () => Truth, isTtlKept = true) {
    this.#isTtlKept = isTtlKept;
    this.#settings = settings;
    this.#truth = truth;
  }

  say(what: string): void {
    this.violations.push(what);
  }

  /** Every intent that was committed, by its client order id. */
  get orders(): ReadonlyMap<string, OrderRow> {
    return this.#orders;
  }

  onCommit(records: readonly StoreRecord[]): void {
    for (const record of records) {
      if (record.kind === 'order') {
        this.#orders.set(record.row.clientOrderId, record.row);
        this.#clientOrderIds.set(record.row.intentId, record.row.clientOrderId);
        this.#checkSums(record.row);
      }
      if (record.kind === 'fill') {
        const { intentId, base } = record.row;
        this.#filled.set(intentId, (this.#filled.get(intentId) ?? new Decimal(0)).plus(base));
      }
      if (record.kind === 'attempt') {
        const id = this.#clientOrderIds.get(record.intentId) ?? '';
        this.#attempts.set(id, [...(this.#attempts.get(id) ?? []), record]);
      }
      if (record.kind === 'incident') this.incidents.push(record.incident);
    }
  }

  /** I2: nothing leaves of which the store has not kept the intent and this very attempt. */
  onLeave(request: Request): void {
    const { operation, parameters } = request;
    this.calls.set(operation, (this.calls.get(operation) ?? 0) + 1);
    if (operation !== 'postorder') return;
    const id = String(parameters['client_order_id']);
    const row = this.#orders.get(id);
    if (row === undefined) {
      this.say(`I2 order ${id} leaves and is not stored`);
      return;
    }
    const kept = {
      pair: row.pair,
      type: row.side,
      price: row.price,
      volume: row.volume,
      time_in_force: row.timeInForce,
      base_account_id: row.baseAccountId,
      counter_account_id: row.counterAccountId,
    };
    for (const [name, value] of Object.entries(kept))
      if (parameters[name] !== value) this.say(`I2 order ${id}: ${name} is not what is stored`);
    const isKept = this.#attempts
      .get(id)
      ?.some(
        (one) => one.timestampMs === parameters['timestamp'] && one.ttlMs === parameters['ttl'],
      );
    if (isKept !== true) this.say(`I2 attempt of ${id} leaves and is not stored`);
  }

  /** Limits and time to live, against the truth, whenever the exchange has accepted an order. */
  onAccepted(request: Request, nowMs: number): void {
    this.accepted++;
    const timestamp = request.parameters['timestamp'] as number;
    const ttl = request.parameters['ttl'] as number;
    const id = String(request.parameters['client_order_id']);
    if (this.#isTtlKept && nowMs > timestamp + ttl)
      this.say(`I9 order ${id} is accepted after its time to live`);
    const validUntilMs = this.#orders.get(id)?.validUntilMs ?? 0;
    if (this.#isTtlKept && nowMs > validUntilMs)
      this.say(`I9 order ${id} is accepted after it was valid, by ${nowMs - validUntilMs} ms`);
    if (timestamp > nowMs) this.say(`K1 order ${id} is stamped ahead of the exchange's clock`);
    if (this.accepted % this.limitsEvery === 0) this.#checkLimits(id);
  }

  /** Forgets the oldest orders that are final, all but about `countMax`, in a run that is long. */
  forget(countMax: number): void {
    let tooMany = this.#orders.size - countMax;
    for (const [id, { state, intentId }] of this.#orders) {
      if (tooMany-- <= 0) return;
      if (!isFinal(state)) continue;
      this.#orders.delete(id);
      this.#attempts.delete(id);
      this.#clientOrderIds.delete(intentId);
      this.#filled.delete(intentId);
    }
  }

  /** I4: an order that is done has all its fills, at the moment at which it is said to be done. */
  #checkSums(row: OrderRow): void {
    if (row.state !== 'filled' && row.state !== 'cancelled') return;
    const filled = this.#filled.get(row.intentId) ?? new Decimal(0);
    if (!filled.eq(row.base))
      this.say(`I4 ${row.clientOrderId} is ${row.state} at ${row.base} with fills of ${filled}`);
  }

  /** Counts the trades that are new, since an exchange of a long run forgets its oldest ones. */
  #positionAfter(trades: Truth['trades']): Decimal {
    const counted = this.#counted;
    const first = trades.findLastIndex(({ sequence }) => sequence <= counted.sequence) + 1;
    for (const { side, volume, feeBase } of trades.slice(first)) {
      counted.lots += side === 'BID' ? volume : -volume;
      counted.feeUnits += feeBase;
    }
    counted.sequence = trades.at(-1)?.sequence ?? counted.sequence;
    return new Decimal(counted.lots)
      .div(1e6)
      .minus(new Decimal(counted.feeUnits.toString()).div('1e18'));
  }

  #checkLimits(id: string): void {
    const { orders, trades } = this.#truth();
    const limits = this.#settings.limits;
    const limit = limits.pairs['XBTZAR'];
    if (limit === undefined) return;
    const open = orders.filter((order) => order.status === 'PENDING');
    let bids = new Decimal(0);
    let asks = new Decimal(0);
    let notional = new Decimal(0);
    const levels = new Map<string, OrderRow[]>();
    for (const order of open) {
      const left = new Decimal(order.limit_volume).minus(order.base);
      if (order.side === 'BUY') bids = bids.plus(left);
      else asks = asks.plus(left);
      notional = notional.plus(left.times(order.limit_price));
      const row = this.#orders.get(order.client_order_id);
      if (row?.level === undefined) continue;
      const level = `${row.strategyId} ${row.level}`;
      levels.set(level, [...(levels.get(level) ?? []), row]);
    }
    const position = this.#positionAfter(trades);
    const say = (what: string): void => this.say(`I10 after ${id}: ${what}`);
    for (const [level, rows] of levels) {
      // A replacement may arrive before the cancel of the order that it replaces.
      const wanted = rows.filter(({ cancelRequestedMs }) => cancelRequestedMs === undefined);
      if (wanted.length > 1) say(`${wanted.length} orders at ${level} that nobody cancels`);
      if (rows.length > 2) say(`${rows.length} orders at ${level}`);
    }
    if (open.length > limits.account.ordersOpenMax) say(`${open.length} orders are open`);
    const notionalMax = limits.account.openNotionalMax['ZAR'] ?? '0';
    if (notional.gt(notionalMax)) say(`open notional is ${notional}`);
    if (position.plus(bids).gt(limit.positionBaseMax))
      say(`position may reach ${position.plus(bids)}`);
    if (asks.minus(position).gt(limit.positionBaseMax))
      say(`position may reach ${position.minus(asks)}`);
  }
}
