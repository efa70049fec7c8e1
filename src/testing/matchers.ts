/** What a test says about a run, as functions that vitest's `expect.extend` takes. */

import { isOfPair } from '../domain/intent.ts';
import { formatLots, formatTicks, type Scales } from '../domain/market.ts';
import { parseDecimal } from '../domain/money.ts';
import { isMarketTerms, type MarketTerms, type Terms } from '../domain/order.ts';
import { durationText, parseSpanMs } from '../domain/unit-text.ts';
import { intentText } from './intent-text.ts';
import type { TimedIntent } from './timed-intent.ts';

/** What an order must have; members that are left out may be anything. Amounts are decimal text. */
export type WantedOrder = {
  readonly side?: 'BID' | 'ASK';
  readonly price?: string;
  readonly volume?: string;
  /** Of a market order, and what a market buy spends. */
  readonly type?: 'market';
  readonly spend?: string;
  /** Of an order of a quote. */
  readonly level?: string;
  readonly timeInForce?: 'GTC' | 'IOC' | 'FOK';
  readonly postOnly?: boolean;
};

/** Which intents count. */
export type WantedWhen = {
  /** The time after the start, such as "30s". */
  readonly at?: string;
  readonly pair?: string;
};

/** What a fill must have. */
export type WantedFill = {
  readonly side?: 'BID' | 'ASK';
  readonly price?: string;
  readonly volume?: string;
  readonly maker?: boolean;
};

/** What the matchers read of a run of `fakeContext` or `playRecording`. */
export type JudgedRun = {
  readonly intents: readonly TimedIntent[];
  readonly scales: Readonly<Record<string, Scales>>;
  readonly fills?: readonly { readonly side: string; readonly price: string }[];
};

type Verdict = { readonly pass: boolean; readonly message: () => string };

/** The matchers as `expect` has them. */
export type RunMatchers<Result> = {
  /** The strategy has quoted exactly these orders; none is an empty quote. */
  toQuote(orders: readonly WantedOrder[], when?: WantedWhen): Result;
  /** The strategy has asked to place such an order by itself. */
  toPlace(order: WantedOrder & { readonly key?: string }, when?: WantedWhen): Result;
  /** The strategy has asked to cancel the order of this key, or with "all" every order. */
  toCancel(key: string, when?: WantedWhen): Result;
  /** The strategy has said that it does nothing, for this reason. */
  toIdle(reason: string | RegExp, when?: WantedWhen): Result;
  /** The run of `playRecording` has this many fills, or these, in order. */
  toHaveFills(fills: number | readonly WantedFill[]): Result;
};

export const matchers = {
  toQuote: (run: JudgedRun, orders: readonly WantedOrder[], when: WantedWhen = {}): Verdict =>
    judge(run, `quote ${JSON.stringify(orders)}`, when, ({ intent }, scales) => {
      if (intent.kind !== 'quote' || intent.orders.length !== orders.length) return false;
      return orders.every((wanted) =>
        intent.orders.some((order) => fits(textsOf(order, scales), wanted)),
      );
    }),
  toPlace: (
    run: JudgedRun,
    wanted: WantedOrder & { readonly key?: string },
    when: WantedWhen = {},
  ): Verdict =>
    judge(run, `place ${JSON.stringify(wanted)}`, when, ({ intent }, scales) => {
      if (intent.kind !== 'place') return false;
      const { terms, key } = intent;
      const texts = isMarketTerms(terms) ? marketTextsOf(terms, scales) : textsOf(terms, scales);
      return fits({ ...texts, key }, wanted);
    }),
  toCancel: (run: JudgedRun, key: string, when: WantedWhen = {}): Verdict =>
    judge(run, `cancel ${key}`, when, ({ intent }) =>
      intent.kind === 'cancel' ? intent.key === key : intent.kind === 'cancelAll' && key === 'all',
    ),
  toIdle: (run: JudgedRun, reason: string | RegExp, when: WantedWhen = {}): Verdict =>
    judge(run, `idle for ${reason}`, when, ({ intent }) => {
      if (intent.kind !== 'idle') return false;
      return typeof reason === 'string' ? intent.reason === reason : reason.test(intent.reason);
    }),
  toHaveFills: ({ fills }: JudgedRun, wanted: number | readonly WantedFill[]): Verdict => {
    if (fills === undefined)
      throw new TypeError('toHaveFills: expected a run of playRecording, which has fills');
    const pass =
      typeof wanted === 'number'
        ? fills.length === wanted
        : fills.length === wanted.length && wanted.every((one, at) => fits(fills[at] ?? {}, one));
    const shown = fills.slice(0, shownMax).map((fill) => `  ${JSON.stringify(fill)}`);
    const what = typeof wanted === 'number' ? `${wanted} fills` : `fills ${JSON.stringify(wanted)}`;
    return {
      pass,
      message: () =>
        [`expected ${pass ? 'not ' : ''}${what}; there were ${fills.length}`, ...shown].join('\n'),
    };
  },
};

const shownMax = 20;

/** Looks for an intent; the message shows those that were there. */
function judge(
  run: JudgedRun,
  what: string,
  { at, pair }: WantedWhen,
  isWanted: (one: TimedIntent, scales: Scales | undefined) => boolean,
): Verdict {
  const atMs = at === undefined ? undefined : parseSpanMs(at);
  if (at !== undefined && atMs === undefined)
    throw new TypeError(`at must be a span such as "30s" or "500ms", was "${at}"`);
  const among = run.intents.filter(
    ({ atMs: emittedMs, intent }) =>
      (atMs === undefined || emittedMs === atMs) &&
      (pair === undefined || (isOfPair(intent) && intent.pair === pair)),
  );
  const pass = among.some((one) => {
    const { intent } = one;
    return isWanted(one, isOfPair(intent) ? run.scales[intent.pair] : undefined);
  });
  const where = `${pair === undefined ? '' : ` of ${pair}`}${at === undefined ? '' : ` at ${at}`}`;
  return {
    pass,
    message: () =>
      [
        `expected ${pass ? 'not to' : 'to'} ${what}${where}; the intents were`,
        ...run.intents.slice(0, shownMax).map((one) => `  ${lineOf(one, run.scales)}`),
        ...(run.intents.length > shownMax ? [`  and ${run.intents.length - shownMax} more`] : []),
        ...(run.intents.length === 0 ? ['  none'] : []),
      ].join('\n'),
  };
}

/** Returns an intent with its time, as one line. */
export function lineOf({ atMs, intent }: TimedIntent, scales: JudgedRun['scales']): string {
  return `${durationText(atMs)} ${intentText(intent, scales)}`;
}

function textsOf(order: Terms & { readonly level?: string }, scales: Scales | undefined) {
  if (scales === undefined) return {};
  const { side, level, timeInForce = 'GTC', postOnly = false } = order;
  const [price, volume] = [formatTicks(order.price, scales), formatLots(order.volume, scales)];
  return { ...{ side, level, timeInForce, postOnly }, price, volume };
}

function marketTextsOf(terms: MarketTerms, scales: Scales | undefined) {
  const { type, side } = terms;
  if (side === 'BID') return { type, side, spend: String(terms.spend) };
  return scales === undefined ? {} : { type, side, volume: formatLots(terms.volume, scales) };
}

/** Whether each wanted member has its value; "0.10" is as good as "0.1". */
function fits(actual: object, wanted: object): boolean {
  const known = new Map<string, unknown>(Object.entries(actual));
  return Object.entries(wanted).every(([name, value]) => {
    const given = known.get(name);
    if (given === value || typeof given !== 'string' || typeof value !== 'string')
      return given === value;
    const [one, other] = [parseDecimal(given), parseDecimal(value)];
    return one !== undefined && other !== undefined && one.eq(other);
  });
}
