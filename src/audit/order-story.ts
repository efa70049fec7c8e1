/**
 * The history of one order, from the store: which strategy asked for it and why, the gate's
 * decision, what was sent, the evidence for each state, its fills and their ledger rows.
 *
 * Invariant: events are in order of time; within one millisecond, a cause comes before its effects.
 * Fills and ledger rows have the exchange's time, all other events ours.
 */
import { reachText } from '../domain/limit-order.ts';
import { Decimal, decimalOf, formatDecimal } from '../domain/money.ts';
import { type FillRow, isTakenOver, type LedgerRow, type OrderRow } from '../domain/records.ts';
import { refusalText } from '../domain/refusal-text.ts';
import type { Refusal } from '../risk/check.ts';
import type { Decision, OrderHistory, StoreReports } from '../store/store-reports.ts';
import { inputLines, type JudgedOrder } from './input-lines.ts';

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
  /** The clock of `atMs`. */
  readonly clock: 'bot' | 'exchange';
  readonly text: string;
  /** Of a decision: the values that the gate judged by, in a line for each group. */
  readonly details?: readonly string[];
};

type Currencies = Pick<JudgedOrder, 'base' | 'counter'>;

export type OrderStory = OrderHistory & {
  readonly ledger: readonly LedgerRow[];
  readonly sums: Pick<FillRow, 'base' | 'counter' | 'feeBase' | 'feeCounter'>;
  readonly timeline: readonly StoryEvent[];
};

/** Returns the story of an intent; undefined if the store does not have it. */
export function orderStoryOf(reports: StoreReports, intentId: number): OrderStory | undefined {
  const history = reports.historyOf(intentId);
  if (history === undefined) return undefined;
  const trades = new Map(history.fills.map((fill) => [`${fill.pair} ${fill.sequence}`, fill]));
  const ledger = [...trades.values()].flatMap((fill) => reports.ledgerOfTrade(fill));
  const named = reports.ledgerLatest().map(({ currency }) => currency);
  const timeline = timelineOf(history, ledger, currenciesOf(history.order.pair, named));
  return { ...history, ledger, sums: sumsOf(history), timeline };
}

/** The currencies of a pair, which is both names in one word; in words if they are not known. */
function currenciesOf(pair: string, named: readonly string[]): Currencies {
  const isBase = (one: string) => pair.startsWith(one) && named.includes(pair.slice(one.length));
  const base = named.find(isBase);
  if (base === undefined) return { base: 'base', counter: 'counter' };
  return { base, counter: pair.slice(base.length) };
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
 * Ranks of events within one millisecond. Each attempt starts a round of ten ranks: first the
 * attempt, then its outcome, then what the outcome proves. Events without an attempt belong to the
 * last round.
 */
const round = 10;
const ranks = { sending: 1, outcome: 2, cancel: 3, fill: 4, ledger: 5, state: 6 };

function timelineOf(
  history: OrderHistory,
  ledger: readonly LedgerRow[],
  currencies: Currencies,
): readonly StoryEvent[] {
  const { order, attempts } = history;
  const events: Ranked[] = stateEvents(history);
  const add = (kind: StoryEvent['kind'], atMs: number, rank: number, text: string): void => {
    const clock = kind === 'fill' || kind === 'ledger' ? 'exchange' : 'bot';
    events.push({ event: { atMs, kind, clock, text }, rank });
  };
  add('intent', order.createdMs, 0, intentText(order));
  for (const decision of history.decisions) {
    const details = inputLines(decision.inputs, { ...order, ...currencies });
    const text = `${decisionText(decision)}, limits ${decision.limitsHash}`;
    const event = { kind: 'decision', clock: 'bot', atMs: decision.atMs, text, details } as const;
    events.push({ event, rank: 1 });
  }
  for (const { atMs, number, timestampMs, ttlMs } of attempts) {
    const text = `attempt ${number} sent, timestamp ${timeOf(timestampMs)}, ttl ${ttlMs} ms`;
    add('attempt', atMs, round * number, text);
  }
  for (const { atMs, number, outcome, detail } of history.outcomes) {
    const text = `attempt ${number}: ${outcome}${detail === '' ? '' : ` (${detail})`}`;
    add('outcome', atMs, round * number + ranks.outcome, text);
  }
  const last = round * attempts.length;
  if (order.cancelRequestedMs !== undefined)
    add('cancel', order.cancelRequestedMs, last + ranks.cancel, 'cancel requested');
  for (const fill of history.fills) add('fill', fill.tradedMs, last + ranks.fill, fillText(fill));
  for (const row of ledger) add('ledger', row.timestampMs, last + ranks.ledger, rowText(row));
  return events
    .sort((a, b) => a.event.atMs - b.event.atMs || a.rank - b.rank)
    .map(({ event }) => event);
}

/** Returns the states in the order in which they were written, also within one millisecond. */
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
  const witnesses = fill.witnesses.join(', ') || 'no source yet';
  const amounts = `base ${base}, counter ${counter}, fees ${feeBase} and ${feeCounter}`;
  return `trade ${sequence}: ${volume} at ${price} as ${role}, ${amounts}, reported by ${witnesses}`;
}

function rowText(row: LedgerRow): string {
  const moved = `${row.currency} ${row.balanceDelta}, balance ${row.balance}`;
  return `row ${row.rowIndex} of account ${row.accountId}: ${moved}, trade ${row.sequence}, ${row.description}`;
}

function intentText(order: OrderRow): string {
  const { strategyId, side, volume, pair, price, timeInForce, postOnly, reason } = order;
  const { stopDirection, stopPrice, pays, expiresMs } = order;
  const name = order.level === undefined ? `key ${order.key}` : `level ${order.level}`;
  const place = order.tag === undefined ? name : `${name}, tag ${order.tag}`;
  const waits =
    stopDirection === undefined
      ? ''
      : `, waits for the last trade ${reachText(stopDirection)} ${stopPrice}`;
  const kind = `${timeInForce}${postOnly ? ', post-only' : ''}`;
  const until = expiresMs === undefined ? '' : `, expires at ${timeOf(expiresMs)}`;
  const terms =
    pays === undefined
      ? `${side} ${volume} ${pair} at ${price}, ${kind}${waits}${until}`
      : `${side} ${pair} at market, ${side === 'BID' ? 'spends' : 'sells'} ${pays} (counts as ${volume} at ${price})${until}`;
  return `${strategyId} asks for ${terms} (${place}): ${reason}`;
}

/** Returns the gate's decision as text; `refusals` is the stored JSON. */
export function decisionText(
  decision: Pick<Decision, 'strategyId' | 'pair' | 'verdict' | 'refusals'>,
): string {
  const { verdict, refusals } = decision;
  const texts = (JSON.parse(refusals) as readonly Refusal[]).map((one) =>
    refusalText(one, decision),
  );
  const reasons = texts.length === 0 ? '' : `: ${texts.join('; ')}`;
  return `the gate ${verdict} it${reasons}`;
}

/** Returns a time for people: UTC, with milliseconds. */
export function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}

const explanationsMissing =
  'Some of what explains this order is missing. It is written about a second later, so it may ' +
  'still come; if the bot was killed within that second, it is lost.';

/**
 * Whether the store has the decision of the gate, what proved the order's state, and the outcome of
 * each attempt that no longer waits for it.
 */
function hasAllExplanations({ order, ...history }: OrderStory): boolean {
  const { decisions, evidence, attempts, outcomes } = history;
  if (evidence.at(-1)?.state !== order.state) return false;
  if (decisions.length === 0 && !isTakenOver(order)) return false;
  const ended = order.state === 'sending' ? attempts.slice(0, -1) : attempts;
  return ended.every((attempt) => outcomes.some(({ number }) => number === attempt.number));
}

export function storyLines(story: OrderStory): readonly string[] {
  const { order, sums, timeline, fills } = story;
  const isWhole = hasAllExplanations(story);
  return [
    `order      ${order.clientOrderId}, ${order.orderId ?? 'no exchange order id yet'}, intent ${order.intentId}`,
    `now        ${order.state}, base ${sums.base} of ${order.volume} for counter ${sums.counter}`,
    `fills      ${fills.length}, fees ${sums.feeBase} in base and ${sums.feeCounter} in counter`,
    `exchange   base ${order.base}, counter ${order.counter}, fees ${order.feeBase} and ${order.feeCounter}, as last read`,
    '',
    ...timeline.flatMap(({ atMs, kind, clock, text, details = [] }) => [
      `${timeOf(atMs)}${clock === 'exchange' ? '*' : ' '} ${kind.padEnd(8)} ${text}`,
      ...details.map((line) => `    ${line}`),
    ]),
    ...(isWhole ? [] : [explanationsMissing]),
    ...(timeline.some(({ clock }) => clock === 'exchange') ? ["* by the exchange's clock"] : []),
  ];
}
