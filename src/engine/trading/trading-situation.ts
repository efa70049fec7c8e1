/**
 * Why a strategy does not trade on a pair now: one pure function over plain facts, for the
 * terminal, `status` and `why` alike.
 */
import type { MarketStatus } from '../../domain/market.ts';
import {
  type TradingBlock,
  type TradingBlockKind,
  tradingBlockKinds,
} from '../../domain/trading-block.ts';

/** What is known of one strategy on one pair at one time. */
export type TradingSituation = {
  readonly pair: string;
  readonly nowMs: number;
  /** The reason for which the bot stops. */
  readonly stopping: string | undefined;
  /** Why the strategy has ended. */
  readonly ended: string | undefined;
  /** What the strategy waits for before it starts; undefined once it has started. */
  readonly missing: readonly string[] | undefined;
  /** The scopes of the strategy that are not ACTIVE. */
  readonly closed: readonly ClosedScope[];
  /** How long the process stood still, until everything is compared again. */
  readonly standstillMs: number | undefined;
  /** Until when the exchange's 429 keeps calls back; in the past if it does not. */
  readonly throttledUntilMs: number;
  /** Our clock less the exchange's, if that is too much. */
  readonly clockSkewMs: number | undefined;
  /** Why the book cannot be used. */
  readonly book: string | undefined;
  /** Why nothing may be trusted before the next comparison with the exchange. */
  readonly unreconciled: string | undefined;
  readonly status: MarketStatus | undefined;
  readonly isPostOnly: boolean;
  /** Live orders whose outcome is unknown, in words. */
  readonly unknown: readonly string[];
  /** Orders that are approved and have not left, in words. */
  readonly waiting: readonly string[];
  readonly coolUntilMs: number;
  /** What the gate refuses of the orders that are wanted now. */
  readonly refused: readonly RefusedOrder[];
  /** Levels that the exchange rejected and that rest for it. */
  readonly rejected: readonly string[];
  /** What the strategy says instead of asking for orders. */
  readonly idle: string | undefined;
  /** Whether it wants an order, or has one. */
  readonly wantsOrders: boolean;
  /** When it last asked for anything, or started. */
  readonly askedMs: number;
  readonly hasAsked: boolean;
};

export type ClosedScope = {
  readonly scope: string;
  readonly state: 'REDUCING' | 'HALTED';
  readonly reason: string;
  readonly atMs: number;
};

export type RefusedOrder = {
  /** The level or the key. */
  readonly what: string;
  readonly codes: readonly string[];
  readonly text: string;
  /** Of the approval that it lacks. */
  readonly token?: string | undefined;
};

/** Without what the watch adds. `sinceMs` is given where it is known better than by looking. */
export type FoundBlock = Pick<TradingBlock, 'kind' | 'reason' | 'ends' | 'remedy'> & {
  readonly sinceMs?: number;
};

type Clause = Omit<FoundBlock, 'kind'>;

/** A strategy that wants nothing is normal; one that has not asked for so long is named. */
const askedMsMax = 10_000;

/** Returns the first cause by precedence, or undefined if nothing keeps it from trading. */
export function blockOf(situation: TradingSituation): FoundBlock | undefined {
  for (const kind of tradingBlockKinds) {
    const clause = clauses[kind](situation);
    if (clause !== undefined) return { kind, ...clause };
  }
  return undefined;
}

const byItself = 'by itself';

const clauses: Readonly<Record<TradingBlockKind, (now: TradingSituation) => Clause | undefined>> = {
  stopping: ({ stopping }) =>
    stopping === undefined
      ? undefined
      : { reason: `the bot stops: ${stopping}`, ends: 'with the next start of the bot' },
  'strategy-ended': ({ ended }) =>
    ended === undefined
      ? undefined
      : {
          reason: `its strategy has ended: ${ended}`,
          ends: 'with the next start of the bot, when its cause is removed',
        },
  halted: ({ closed }) => closedClause(closed, 'HALTED'),
  standstill: ({ standstillMs }) =>
    standstillMs === undefined
      ? undefined
      : {
          reason: `the process stood still for ${seconds(standstillMs)}`,
          ends: `${byItself}, when books, orders and balances are compared with the exchange again`,
        },
  throttled: ({ throttledUntilMs, nowMs }) =>
    throttledUntilMs <= nowMs
      ? undefined
      : {
          reason: 'the exchange refuses calls for being too many (429)',
          ends: `${byItself}, at ${timeOf(throttledUntilMs)}`,
        },
  clock: ({ clockSkewMs }) =>
    clockSkewMs === undefined
      ? undefined
      : {
          reason: `this machine's clock and the exchange's differ by ${seconds(Math.abs(clockSkewMs))}`,
          ends: 'when the clock that is wrong is set right',
        },
  'not-started': ({ missing }) =>
    missing === undefined
      ? undefined
      : {
          reason: `its strategy has not started: it waits for ${missing.join(', ')}`,
          ends: `${byItself}, when these are known`,
        },
  book: ({ book, pair }) =>
    book === undefined
      ? undefined
      : {
          reason: `the book of ${pair} cannot be used: ${book}`,
          ends: `${byItself}, when the stream delivers a correct and fresh book`,
        },
  'not-reconciled': ({ unreconciled }) =>
    unreconciled === undefined
      ? undefined
      : {
          reason: `orders, fills or balances do not agree with the exchange's: ${unreconciled}`,
          ends: `${byItself}, when a comparison finds them equal`,
        },
  'market-closed': ({ status, isPostOnly, pair }) =>
    status === 'ACTIVE' || (status === 'POST_ONLY' && isPostOnly)
      ? undefined
      : {
          reason: `the exchange does not take these orders on ${pair}: its status is ${status ?? 'not known'}`,
          ends: `${byItself}, when the exchange opens the market`,
        },
  'unknown-order': ({ unknown }) =>
    unknown.length === 0
      ? undefined
      : {
          reason: `the outcome of ${listed(unknown)} is unknown`,
          ends: `${byItself}, when the exchange says what became of it; it is being looked up`,
        },
  'call-limit': ({ waiting }) =>
    waiting.length === 0
      ? undefined
      : {
          reason: `${listed(waiting)} waits for the limit of calls a minute`,
          ends: `${byItself}, when the limit leaves room`,
        },
  'cool-down': ({ coolUntilMs, nowMs }) =>
    coolUntilMs <= nowMs
      ? undefined
      : {
          reason:
            'it rests after losing trades in a row, and places only what reduces its position',
          ends: `${byItself}, at ${timeOf(coolUntilMs)}`,
        },
  approval: ({ refused }) => {
    const found = refused.find(({ token }) => token !== undefined);
    if (found?.token === undefined) return undefined;
    return {
      reason: `${found.what} needs a person's approval: ${found.text}`,
      ends: 'when somebody approves exactly this order',
      remedy: { command: 'approve', token: found.token },
    };
  },
  reducing: ({ closed }) => closedClause(closed, 'REDUCING'),
  refused: ({ refused }) =>
    refused.length === 0
      ? undefined
      : {
          reason: refused.map(({ what, text }) => `${what} is refused: ${text}`).join('; '),
          ends: 'when the strategy asks for an order that the limits allow',
        },
  rejected: ({ rejected }) =>
    rejected.length === 0
      ? undefined
      : {
          reason: `the exchange rejected ${rejected.join(', ')}`,
          ends: `${byItself}, when the exchange takes it: it is placed again every few seconds`,
        },
  idle: ({ idle }) =>
    idle === undefined ? undefined : { reason: idle, ends: 'when its strategy asks for an order' },
  'no-request': ({ wantsOrders, askedMs, hasAsked, nowMs }) =>
    wantsOrders || nowMs - askedMs < askedMsMax
      ? undefined
      : {
          reason: hasAsked
            ? 'its strategy wants no order now'
            : 'its strategy has started, and has asked for nothing yet',
          ends: 'when its strategy asks for an order',
          sinceMs: askedMs,
        },
};

function closedClause(
  closed: readonly ClosedScope[],
  state: ClosedScope['state'],
): Clause | undefined {
  const found = closed.filter((one) => one.state === state);
  const [first] = found;
  if (first === undefined) return undefined;
  return {
    reason: found.map(({ scope, reason }) => `${scope} is ${state}: ${reason}`).join('; '),
    ends: 'when somebody resumes it',
    remedy: { command: 'resume', scope: first.scope },
    sinceMs: first.atMs,
  };
}

/** The first two, and how many more there are. */
function listed(orders: readonly string[]): string {
  const more = orders.length - 2;
  return `${orders.slice(0, 2).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function seconds(milliseconds: number): string {
  return `${Math.ceil(milliseconds / 1000)} s`;
}

function timeOf(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(11, 19)} UTC`;
}
