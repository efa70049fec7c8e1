/**
 * Determines why a strategy does not trade on a pair now: a pure function of plain facts, used by
 * the terminal, `status` and `why`.
 */
import { acceptsMakers, acceptsTakers, type MarketStatus } from '../../domain/market.ts';
import {
  type KeptAway,
  type TradingBlock,
  type TradingBlockKind,
  tradingBlockKinds,
} from '../../domain/trading-block.ts';

/** The facts about one strategy on one pair at one time. */
export type TradingSituation = {
  readonly pair: string;
  readonly nowMs: number;
  /** Why the bot is stopping; undefined if it is not. */
  readonly stopping: string | undefined;
  /** Why the strategy has ended; undefined if it has not. */
  readonly ended: string | undefined;
  /** The inputs that the strategy waits for; undefined once it has started. */
  readonly missing: readonly string[] | undefined;
  /** The scopes of the strategy that are not ACTIVE. */
  readonly closed: readonly ClosedScope[];
  /** How long the process stood still; undefined once everything has been compared again. */
  readonly standstillMs: number | undefined;
  /** Until when the exchange's last 429 stops calls; may be in the past. */
  readonly throttledUntilMs: number;
  /** Our clock minus the exchange's; undefined if the difference is allowed. */
  readonly clockSkewMs: number | undefined;
  /** Why the book is unusable; undefined if it is usable. */
  readonly book: string | undefined;
  /** Why our state may differ from the exchange's; undefined if they agree. */
  readonly unreconciled: string | undefined;
  readonly status: MarketStatus | undefined;
  readonly isPostOnly: boolean;
  /** Live orders whose outcome is unknown, as text. */
  readonly unknown: readonly string[];
  /** Approved orders that have not been sent for a while, as text. */
  readonly waiting: readonly string[];
  readonly coolUntilMs: number;
  /** The wanted orders that the gate refuses. */
  readonly refused: readonly RefusedOrder[];
  /** Levels whose last order the exchange rejected. */
  readonly rejected: readonly string[];
  /** Which orders {@link refused} and {@link rejected} keep away; undefined for all. */
  readonly only: KeptAway | undefined;
  /** Why a feed of the strategy has no value; undefined if all have one. */
  readonly feed: string | undefined;
  /** Why the strategy requests no orders, in its own words. */
  readonly idle: string | undefined;
  /** Whether the strategy wants an order or has one. */
  readonly wantsOrders: boolean;
  /** When the strategy last sent an intent, or started. */
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
  /** Token of the approval that the order needs. */
  readonly token?: string | undefined;
};

/** A block before the watch completes it; `sinceMs` is set if its beginning is known exactly. */
export type FoundBlock = Pick<TradingBlock, 'kind' | 'reason' | 'ends' | 'remedy' | 'only'> & {
  readonly sinceMs?: number;
};

type Clause = Omit<FoundBlock, 'kind'>;

/** A strategy without orders and requests is reported after this time. */
const askedMsMax = 10_000;

/** Returns the block with the highest precedence; undefined if nothing prevents trading. */
export function blockOf(situation: TradingSituation): FoundBlock | undefined {
  for (const kind of tradingBlockKinds) {
    const clause = clauses[kind](situation);
    if (clause !== undefined) return { kind, ...clause };
  }
  return undefined;
}

const byItself = 'by itself';

const clauses: Readonly<Record<TradingBlockKind, (now: TradingSituation) => Clause | undefined>> = {
  'strategy-ended': ({ ended }) =>
    ended === undefined
      ? undefined
      : {
          reason: `its strategy has ended: ${ended}`,
          ends: ended.startsWith('done: ')
            ? 'with a start with --again and its id'
            : 'with the next start of the bot, once the cause is removed',
        },
  stopping: ({ stopping }) =>
    stopping === undefined
      ? undefined
      : { reason: `the bot is stopping: ${stopping}`, ends: 'with the next start of the bot' },
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
          reason: 'the exchange refuses calls because there are too many (429)',
          ends: `${byItself}, at ${timeOf(throttledUntilMs)}`,
        },
  clock: ({ clockSkewMs }) =>
    clockSkewMs === undefined
      ? undefined
      : {
          reason: `this machine's clock and the exchange's differ by ${seconds(Math.abs(clockSkewMs))}`,
          ends: 'when the wrong clock is corrected',
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
          reason: `the book of ${pair} is unusable: ${book}`,
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
    (isPostOnly ? acceptsMakers(status) : acceptsTakers(status))
      ? undefined
      : {
          reason: `the exchange does not accept these orders on ${pair}: its status is ${status ?? 'unknown'}`,
          ends: `${byItself}, when the exchange opens the market`,
        },
  'unknown-order': ({ unknown }) =>
    unknown.length === 0
      ? undefined
      : {
          reason: `the outcome of ${listed(unknown)} is unknown`,
          ends: `${byItself}, when the lookup in progress has found the outcome`,
        },
  'call-limit': ({ waiting }) =>
    waiting.length === 0
      ? undefined
      : {
          reason: `${listed(waiting)} waits for the limit on calls per minute`,
          ends: `${byItself}, when the limit leaves room`,
        },
  'cool-down': ({ coolUntilMs, nowMs }) =>
    coolUntilMs <= nowMs
      ? undefined
      : {
          reason:
            'it cools down after losing trades in a row: only orders that reduce its position are placed',
          ends: `${byItself}, at ${timeOf(coolUntilMs)}`,
        },
  approval: ({ refused, only }) => {
    const found = refused.find(({ token }) => token !== undefined);
    if (found?.token === undefined) return undefined;
    return {
      reason: `${found.what} needs a person's approval: ${found.text}`,
      ends: 'when a person approves exactly this order',
      remedy: { command: 'approve', token: found.token },
      ...onlyOf(only),
    };
  },
  reducing: ({ closed }) => closedClause(closed, 'REDUCING'),
  refused: ({ refused, only }) =>
    refused.length === 0
      ? undefined
      : {
          reason: refused.map(({ what, text }) => `${what} is refused: ${text}`).join('; '),
          ends: 'when the strategy requests an order that the limits allow',
          ...onlyOf(only),
        },
  rejected: ({ rejected, only }) =>
    rejected.length === 0
      ? undefined
      : {
          reason: `the exchange rejected ${rejected.join(', ')}`,
          ends: `${byItself}, when the exchange accepts it: it is placed again every few seconds`,
          ...onlyOf(only),
        },
  // A strategy may well trade without the feed, so only one that wants no orders is said to wait.
  feed: ({ feed, wantsOrders, idle }) =>
    feed === undefined || wantsOrders
      ? undefined
      : {
          reason: idle === undefined ? feed : `${feed} (${idle})`,
          ends: `${byItself}, when the feed has a value again`,
        },
  // What a strategy says while it has orders, such as a grid that keeps them, keeps none away.
  idle: ({ idle, wantsOrders }) =>
    idle === undefined || wantsOrders
      ? undefined
      : { reason: idle, ends: 'when its strategy requests an order' },
  'no-request': ({ wantsOrders, askedMs, hasAsked, nowMs }) =>
    wantsOrders || nowMs - askedMs < askedMsMax
      ? undefined
      : {
          reason: hasAsked
            ? 'its strategy wants no order now'
            : 'its strategy has started, and has not requested an order yet',
          ends: 'when its strategy requests an order',
          sinceMs: askedMs,
        },
};

function onlyOf(only: KeptAway | undefined): { readonly only?: KeptAway } {
  return only === undefined ? {} : { only };
}

function closedClause(
  closed: readonly ClosedScope[],
  state: ClosedScope['state'],
): Clause | undefined {
  const found = closed.filter((scope) => scope.state === state);
  const [first] = found;
  if (first === undefined) return undefined;
  return {
    reason: found.map(({ scope, reason }) => `${scope} is ${state}: ${reason}`).join('; '),
    ends: 'when a person resumes it',
    remedy: { command: 'resume', scope: first.scope },
    sinceMs: first.atMs,
  };
}

/** Returns the first two orders, and how many more there are. */
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
