/**
 * Watches a run: counts its events and what happened at them, and keeps everything about the events
 * of a window.
 *
 * Invariant: it changes nothing in the run, and what it keeps is bounded.
 */
import { formatAmount } from '../../domain/amount.ts';
import type { StrategySettings } from '../../domain/bot-settings.ts';
import type { MarketState } from '../../domain/bot-status.ts';
import { StrategyError } from '../../domain/errors.ts';
import type { Intent } from '../../domain/intent.ts';
import { isFinal } from '../../domain/order.ts';
import type { StoreRecord } from '../../domain/records.ts';
import type { Effect, Step } from '../../engine/event.ts';
import type { StepInput } from '../../engine/stepping/step-input.ts';
import type { Judgement, StepObserver } from '../../engine/stepping/step-observer.ts';
import type { SteppedRun } from '../../engine/stepping/stepped-run.ts';
import type { EntryCause } from '../../strategy/host-options.ts';
import { marketStateOf } from '../status/market-state.ts';
import type { EventFacts, Happening, HeldPosition, MarkKind } from './event-facts.ts';
import {
  causeText,
  inputText,
  intentText,
  type MarketOf,
  priceText,
  recordText,
  requestText,
  volumeText,
} from './event-texts.ts';
import { type Mark, RunIndex } from './run-index.ts';

/** Events whose facts are kept; of more, the oldest are dropped. */
const keptMax = 2_000;

/** Told before and after code of a strategy runs, with the number of the event. */
export type EntryListener = {
  readonly entering: (number: number, strategyId: string) => void;
  readonly left: () => void;
};

type NewMark = Omit<Mark, 'number' | 'atMicros'>;

export class EventRecorder implements StepObserver {
  /** The run, which is set before its first event. */
  run: SteppedRun | undefined;
  /** The first event whose facts are kept from now on, and the last. */
  #keepFrom = Infinity;
  #keepTo = Infinity;
  /** A time from which on `count` events are kept, and the number of the first one. */
  #wanted: { readonly atMicros: number; readonly count: number; number?: number } | undefined;
  /** An order whose decision is kept, and `count` events after it, until it was found. */
  #wantedOrder: { readonly id: string; readonly count: number } | undefined;
  /** The decisions about orders that the exchange has not given an id yet, by intent id. */
  readonly #decided = new Map<number, EventFacts>();
  number = 0;
  readonly #strategies: readonly Pick<StrategySettings, 'id' | 'pairs'>[];
  readonly #entries: EntryListener | undefined;
  readonly #onFirst: ((atMicros: number) => void) | undefined;
  /** The index of an earlier pass, with which this one must agree; undefined in the first. */
  readonly #known: RunIndex | undefined;
  /** The index that the first pass makes. */
  readonly index = new RunIndex();
  #kept: EventFacts[] = [];
  #atMicros = 0;
  #input: StepInput = { kind: 'tick' };
  #happenings: Happening[] = [];
  #marks: NewMark[] = [];
  readonly #last = new Map<string, Intent>();

  constructor(options: {
    readonly strategies: readonly Pick<StrategySettings, 'id' | 'pairs'>[];
    readonly known: RunIndex | undefined;
    readonly entries: EntryListener | undefined;
    /** Called at the first event, with its time. */
    readonly onFirst?: ((atMicros: number) => void) | undefined;
  }) {
    this.#strategies = options.strategies;
    this.#known = options.known;
    this.#entries = options.entries;
    this.#onFirst = options.onFirst;
  }

  /** Returns the facts of an event; undefined if they are not kept. */
  factsOf(number: number): EventFacts | undefined {
    const first = this.#kept[0];
    return first === undefined ? undefined : this.#kept[number - first.number];
  }

  get kept(): readonly EventFacts[] {
    return this.#kept;
  }

  /** Keeps the facts of events from `number` to `last`, and drops those of earlier ones. */
  restartAt(number: number, last = Infinity): void {
    this.#keepFrom = number;
    this.#keepTo = last;
    this.#kept = [];
  }

  /** Keeps the facts of `count` events from a time on, which has not come yet. */
  restartAtTime(atMicros: number, count: number): void {
    this.#wanted = { atMicros, count };
  }

  /** Keeps the facts of the decision about an order, which any of its ids names. */
  restartAtOrder(id: string, count: number): void {
    this.#wantedOrder = { id, count };
  }

  /** Returns the first event at or after a time; undefined if it was not asked to keep that one. */
  numberAt(atMicros: number): number | undefined {
    return this.#wanted?.atMicros === atMicros ? this.#wanted.number : undefined;
  }

  began(atMicros: number, input: StepInput): void {
    this.number++;
    this.#atMicros = atMicros;
    this.#input = input;
    this.#happenings = [];
    this.#marks = [];
    if (this.number === 1) this.#onFirst?.(atMicros);
    const wanted = this.#wanted;
    if (wanted === undefined || wanted.number !== undefined || atMicros < wanted.atMicros) return;
    wanted.number = this.number;
    this.restartAt(this.number, this.number + wanted.count - 1);
  }

  entering(strategyId: string, cause: EntryCause): void {
    if (this.#isKept()) {
      const text = causeText(cause, this.#marketOf);
      this.#happenings.push({ kind: 'given', strategyId, text });
    }
    this.#entries?.entering(this.number, strategyId);
  }

  left(): void {
    this.#entries?.left();
  }

  emitted(strategyId: string, intent: Intent): void {
    const isRepeated = this.#isRepeated(strategyId, intent);
    if (!isRepeated) this.#mark('decision', strategyId);
    if (!this.#isKept()) return;
    const text = intentText(intent, this.#marketOf);
    this.#happenings.push({
      ...{ kind: 'emitted', strategyId, text, isRepeated },
      intent: plainOf(intent),
    });
  }

  judged({ proposal, level, key, reason, isApproved, explain }: Judgement): void {
    const { strategyId, pair, side, price, volume } = proposal;
    if (!isApproved) this.#mark('refusal', strategyId);
    if (!this.#isKept()) return;
    const market = this.#marketOf(pair);
    this.#happenings.push({
      ...{ kind: 'judged', strategyId, pair, side, reason, isApproved },
      price: priceText(price, market),
      volume: volumeText(volume, market),
      name: level ?? key ?? '',
      checks: explain(),
    });
  }

  ended({ records, effects }: Step): void {
    for (const record of records) this.#markRecord(record);
    if (this.#known === undefined) {
      this.index.add(this.#atMicros, this.#marks);
      this.index.noteOrders(records);
    } else this.#compare(this.#known);
    if (this.#isInWindow()) {
      this.#kept.push(this.#factsNow(records, effects));
      if (this.#kept.length > keptMax) this.#kept.shift();
    }
    const wanted = this.#wantedOrder;
    if (wanted !== undefined) this.#lookForOrder(wanted, records, effects);
  }

  #isKept(): boolean {
    return this.#wantedOrder !== undefined || this.#isInWindow();
  }

  #isInWindow(): boolean {
    return this.number >= this.#keepFrom && this.number <= this.#keepTo;
  }

  /** The exchange's id for an order is known only after the event at which it was decided. */
  #lookForOrder(
    { id, count }: { readonly id: string; readonly count: number },
    records: readonly StoreRecord[],
    effects: readonly Effect[],
  ): void {
    for (const record of records) {
      if (record.kind !== 'order') continue;
      const { intentId, clientOrderId, orderId, state } = record.row;
      if ([String(intentId), clientOrderId, orderId].includes(id)) {
        const facts = this.#decided.get(intentId) ?? this.#factsNow(records, effects);
        if (facts.number === this.number) this.restartAt(this.number, this.number + count);
        this.#kept = [facts];
        this.#wantedOrder = undefined;
        this.#decided.clear();
        return;
      }
      if (orderId !== undefined || isFinal(state)) this.#decided.delete(intentId);
      else if (!this.#decided.has(intentId))
        this.#decided.set(intentId, this.#factsNow(records, effects));
    }
  }

  readonly #marketOf: MarketOf = (pair) => this.run?.engine.markets.get(pair)?.market;

  /** The host passes the same object for an equal quote. */
  #isRepeated(strategyId: string, intent: Intent): boolean {
    if (intent.kind !== 'quote' && intent.kind !== 'idle') return false;
    const name = `${strategyId} ${intent.pair}`;
    const last = this.#last.get(name);
    this.#last.set(name, intent);
    if (last === intent) return true;
    return intent.kind === 'idle' && last?.kind === 'idle' && last.reason === intent.reason;
  }

  #mark(kind: MarkKind, strategyId: string | undefined): void {
    const isKnown = this.#marks.some((one) => one.kind === kind && one.strategyId === strategyId);
    if (!isKnown) this.#marks.push({ kind, strategyId });
  }

  #markRecord(record: StoreRecord): void {
    if (record.kind === 'order') {
      this.#mark('order', record.row.strategyId);
      if (record.row.state === 'rejected') this.#mark('refusal', record.row.strategyId);
    } else if (record.kind === 'fill') this.#mark('fill', record.row.strategyId);
    else if (record.kind === 'decision' && record.verdict === 'refused')
      this.#mark('refusal', record.strategyId);
    else if (record.kind === 'incident' || record.kind === 'trading-state')
      this.#mark('incident', undefined);
  }

  /** A strategy that depends on something outside the run would make every answer worthless. */
  #compare(known: RunIndex): void {
    const marks = known.marksOf(this.number);
    const isSame =
      marks.length === this.#marks.length &&
      marks.every(
        ({ kind, strategyId, atMicros }, index) =>
          kind === this.#marks[index]?.kind &&
          strategyId === this.#marks[index].strategyId &&
          atMicros === this.#atMicros,
      );
    if (isSame || known.isCut) return;
    throw new StrategyError(
      `event ${this.number}: played again, the strategies did something else than before: one of them depends on something outside the run; to find what:`,
      { suggests: ['check-strategy', '<its file>'] },
    );
  }

  #factsNow(records: readonly StoreRecord[], effects: readonly Effect[]): EventFacts {
    const stored = records.map((record) => ({
      ...{ kind: 'stored' as const, record: record.kind, text: recordText(record) },
      value: plainOf(record),
    }));
    const nowMs = Math.floor(this.#atMicros / 1000);
    return {
      number: this.number,
      atMs: this.#atMicros / 1000,
      time: timeText(this.#atMicros),
      text: inputText(this.#input),
      input: plainOf(withoutDecoded(this.#input)),
      marks: [...new Set(this.#marks.map(({ kind }) => kind))],
      happenings: [...this.#happenings, ...stored, ...effects.flatMap(happeningsOf)],
      markets: this.#marketStates(nowMs),
      placesIn: this.run?.aheadAtExchange === undefined ? 'our book' : 'exchange',
      positions: this.#positions(),
    };
  }

  #marketStates(nowMs: number): readonly MarketState[] {
    const { run } = this;
    if (run === undefined) return [];
    const { live } = run.engine.orders.tracker;
    return [...run.engine.markets].map(([pair, market]) => {
      const state = marketStateOf(
        market,
        live.filter((order) => order.pair === pair),
        nowMs,
      );
      const { aheadAtExchange } = run;
      if (aheadAtExchange === undefined) return state;
      const ownOrders = state.ownOrders.map((order) => ({
        ...order,
        aheadVolume: aheadAtExchange(pair, order.clientOrderId) ?? null,
      }));
      return { ...state, ownOrders };
    });
  }

  #positions(): readonly HeldPosition[] {
    const { engine } = this.run ?? {};
    if (engine === undefined) return [];
    const { exposure } = engine.orders.context;
    return this.#strategies.flatMap(({ id: strategyId, pairs }) =>
      pairs.map((pair) => {
        const { base: held, lowest, highest } = exposure.position(strategyId, pair);
        return {
          ...{ strategyId, pair, base: this.#marketOf(pair)?.base ?? '' },
          held: formatAmount(held),
          lowest: formatAmount(lowest),
          highest: formatAmount(highest),
        };
      }),
    );
  }
}

function happeningsOf(effect: Effect): readonly Happening[] {
  switch (effect.kind) {
    case 'request': {
      const { kind: operation, ...parameters } = effect.call;
      const text = requestText(effect);
      return [{ kind: 'left', operation, text, parameters: plainOf(parameters) }];
    }
    case 'notice':
      return [{ kind: 'said', level: effect.notice.level, text: effect.notice.text }];
    case 'point': {
      const { strategyId, kind, name, value } = effect.point;
      return [{ kind: 'said', level: 'info', text: `${strategyId}: ${kind} ${name} is ${value}` }];
    }
    case 'reconnect': {
      const text = `reconnect the ${effect.stream} stream ${effect.pair}: ${effect.reason}`;
      return [{ kind: 'left', operation: 'reconnect', text, parameters: {} }];
    }
    case 'stopped':
      return [{ kind: 'said', level: 'info', text: `stopped, ${effect.openOrders} orders open` }];
    case 'ended':
      return [{ kind: 'said', level: 'info', text: effect.reason }];
    case 'operated':
      return [{ kind: 'said', level: 'info', text: effect.text }];
  }
}

/** A frame's text has everything; what was decoded from it is longer. */
function withoutDecoded(input: StepInput): unknown {
  switch (input.kind) {
    case 'market-frame': {
      const { message: _, ...frame } = input;
      return frame;
    }
    case 'flow':
    case 'flow-start':
      return { kind: 'flow', pair: input.market.market.pair };
    default:
      return input;
  }
}

/** Returns a copy as JSON would carry it, amounts as decimals. */
function plainOf(value: unknown): unknown {
  const text = JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'bigint' ? formatAmount(inner) : inner,
  );
  return JSON.parse(text);
}

function timeText(micros: number): string {
  const text = new Date(Math.floor(micros / 1000)).toISOString();
  const rest = String(Math.floor(micros % 1000)).padStart(3, '0');
  return text.replace('Z', `${rest}Z`);
}
