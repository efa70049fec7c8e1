/**
 * The story of one order, from what the store kept of it: who wished it and why, what the gate
 * said, what was sent, what proved each change of its state, what it filled and what the ledger
 * shows of that.
 *
 * Invariant: events are in order of time; among those of one millisecond a cause stands before what
 * it proves. Fills and ledger rows carry the exchange's clock, everything else ours.
 */
import { Decimal, decimalOf, formatDecimal } from '../domain/money.ts';
import type { LedgerRow, OrderRow } from '../domain/records.ts';
import type { Refusal } from '../risk/check.ts';
import type { OrderHistory, StoreReports } from '../store/store-reports.ts';

export type StoryEvent = {
  readonly atMs: number;
  readonly kind:
    | 'intent'
    | 'decision'
    | 'attempt'
    | 'outcome'
    | 'cancel'
    | 'state'
    | 'fill'
    | 'ledger';
  /** Whose clock `atMs` is of. */
  readonly clock: 'bot' | 'exchange';
  readonly text: string;
};

export type OrderStory = OrderHistory & {
  readonly ledger: readonly LedgerRow[];
  readonly sums: {
    readonly base: string;
    readonly counter: string;
    readonly feeBase: string;
    readonly feeCounter: string;
  };
  readonly timeline: readonly StoryEvent[];
};

/** Returns the story of an intent that the store has, else undefined. */
export function orderStoryOf(reports: StoreReports, intentId: number): OrderStory | undefined {
  const history = reports.historyOf(intentId);
  if (history === undefined) return undefined;
  const trades = new Map(history.fills.map((fill) => [`${fill.pair} ${fill.sequence}`, fill]));
  const ledger = [...trades.values()].flatMap((fill) => reports.ledgerOfTrade(fill));
  return { ...history, ledger, sums: sumsOf(history), timeline: timelineOf(history, ledger) };
}

function sumsOf({ fills }: OrderHistory): OrderStory['sums'] {
  const sum = (field: 'base' | 'counter' | 'feeBase' | 'feeCounter'): string =>
    formatDecimal(
      fills.reduce((total, fill) => total.plus(decimalOf(fill[field])), new Decimal(0)),
    );
  return {
    base: sum('base'),
    counter: sum('counter'),
    feeBase: sum('feeBase'),
    feeCounter: sum('feeCounter'),
  };
}

type Ranked = { readonly event: StoryEvent; readonly rank: number };

/**
 * The events of one millisecond have ranks: each attempt begins a round of ten, in which its answer
 * comes after it and what that proves after both. Whatever belongs to no attempt is of the last.
 */
const round = 10;
const ranks = { sending: 1, outcome: 2, cancel: 3, fill: 4, ledger: 5, state: 6 };

function timelineOf(history: OrderHistory, ledger: readonly LedgerRow[]): readonly StoryEvent[] {
  const { order, attempts } = history;
  const events: Ranked[] = stateEvents(history);
  const add = (kind: StoryEvent['kind'], atMs: number, rank: number, text: string): void => {
    const clock = kind === 'fill' || kind === 'ledger' ? 'exchange' : 'bot';
    events.push({ event: { atMs, kind, clock, text }, rank });
  };
  add('intent', order.createdMs, 0, intentText(order));
  for (const decision of history.decisions)
    add(
      'decision',
      decision.atMs,
      1,
      `${decisionOf(decision)}, having looked at ${decision.inputs}`,
    );
  for (const { atMs, number, timestampMs, ttlMs } of attempts) {
    const text = `attempt ${number} leaves, timestamp ${timeOf(timestampMs)}, ttl ${ttlMs} ms`;
    add('attempt', atMs, round * number, text);
  }
  for (const { atMs, number, outcome, detail } of history.outcomes) {
    const text = `attempt ${number}: ${outcome}${detail === '' ? '' : ` (${detail})`}`;
    add('outcome', atMs, round * number + ranks.outcome, text);
  }
  const last = round * attempts.length;
  if (order.cancelRequestedMs !== undefined)
    add('cancel', order.cancelRequestedMs, last + ranks.cancel, 'its cancel was asked for');
  for (const fill of history.fills) add('fill', fill.tradedMs, last + ranks.fill, fillText(fill));
  for (const row of ledger) add('ledger', row.timestampMs, last + ranks.ledger, rowText(row));
  return events
    .sort((a, b) => a.event.atMs - b.event.atMs || a.rank - b.rank)
    .map(({ event }) => event);
}

/** States in the order in which they were written, however many one millisecond saw. */
function stateEvents({ evidence }: OrderHistory): Ranked[] {
  let sent = 0;
  return evidence.map(({ atMs, state, proof }) => {
    if (state === 'sending') sent++;
    const rank = round * sent + (state === 'sending' ? ranks.sending : ranks.state);
    return { event: { atMs, kind: 'state', clock: 'bot', text: `${state}: ${proof}` }, rank };
  });
}

function fillText(fill: OrderHistory['fills'][number]): string {
  const { sequence, volume, price, base, counter, feeBase, feeCounter } = fill;
  const role = fill.maker ? 'maker' : 'taker';
  const witnesses = fill.witnesses.join(', ') || 'nobody yet';
  const amounts = `base ${base}, counter ${counter}, fees ${feeBase} and ${feeCounter}`;
  return `trade ${sequence}: ${volume} at ${price} as ${role}, ${amounts}, seen by ${witnesses}`;
}

function rowText(row: LedgerRow): string {
  const moved = `${row.currency} ${row.balanceDelta}, balance ${row.balance}`;
  return `row ${row.rowIndex} of account ${row.accountId}: ${moved}, trade ${row.sequence}, ${row.description}`;
}

function intentText(order: OrderRow): string {
  const { strategyId, side, volume, pair, price, timeInForce, postOnly, reason } = order;
  const place = order.level === undefined ? `key ${order.key}` : `level ${order.level}`;
  const terms = `${side} ${volume} ${pair} at ${price}, ${timeInForce}${postOnly ? ', post-only' : ''}`;
  return `${strategyId} wishes ${terms} (${place}): ${reason}`;
}

function decisionOf({ verdict, refusals, limitsHash }: OrderHistory['decisions'][number]): string {
  return `${decisionText(verdict, refusals)} by limits ${limitsHash}`;
}

/** Says what the gate decided; `refusals` is the stored JSON. */
export function decisionText(verdict: 'approved' | 'refused', refusals: string): string {
  const found = JSON.parse(refusals) as readonly Refusal[];
  if (found.length === 0) return `the gate ${verdict} it`;
  const texts = found.map(
    ({ code, observed, limit, unit }) => `${code}: ${observed}, limit ${limit} ${unit}`,
  );
  return `the gate ${verdict} it: ${texts.join('; ')}`;
}

/** A time for people: UTC, to the millisecond. */
export function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** The story for people. */
export function storyLines(story: OrderStory): readonly string[] {
  const { order, sums, timeline, fills } = story;
  return [
    `order      ${order.clientOrderId}, ${order.orderId ?? 'no id of the exchange yet'}, intent ${order.intentId}`,
    `now        ${order.state}, base ${sums.base} of ${order.volume} for counter ${sums.counter}`,
    `fills      ${fills.length}, fees ${sums.feeBase} in base and ${sums.feeCounter} in counter`,
    `exchange   base ${order.base}, counter ${order.counter}, fees ${order.feeBase} and ${order.feeCounter}, as last read`,
    '',
    ...timeline.map(
      ({ atMs, kind, clock, text }) =>
        `${timeOf(atMs)}${clock === 'exchange' ? '*' : ' '} ${kind.padEnd(8)} ${text}`,
    ),
    ...(timeline.some(({ clock }) => clock === 'exchange') ? ["* by the exchange's clock"] : []),
  ];
}
