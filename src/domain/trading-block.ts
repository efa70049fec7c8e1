/** Why a strategy does not trade on a pair now, and what ends that. */
import type { Side } from './market.ts';

/** In order of precedence: if several apply, the first one is reported. */
export const tradingBlockKinds = [
  'strategy-ended',
  'stopping',
  'halted',
  'standstill',
  'throttled',
  'clock',
  'not-started',
  'book',
  'not-reconciled',
  'market-closed',
  'unknown-order',
  'call-limit',
  'cool-down',
  'approval',
  'reducing',
  'refused',
  'rejected',
  'feed',
  'idle',
  'no-request',
] as const;

export type TradingBlockKind = (typeof tradingBlockKinds)[number];

/** A command that ends a block. */
export type Remedy =
  | { readonly command: 'resume'; readonly scope: string }
  | { readonly command: 'approve'; readonly token: string };

export type TradingBlock = {
  readonly strategyId: string;
  readonly pair: string;
  readonly kind: TradingBlockKind;
  readonly sinceMs: number;
  /** A clause, such as `bot is HALTED: news`. */
  readonly reason: string;
  /** When it ends, as a clause after "ends": by itself, or by an action. */
  readonly ends: string;
  readonly remedy?: Remedy;
  /** Only where other orders may be placed: which ones are not. */
  readonly only?: KeptAway;
};

/** All orders of a side, or some of a side that has others. */
export type KeptAway = Side | 'some';

const verbs = {
  all: ['does not trade', 'do not trade', 'may trade again'],
  BID: ['does not buy', 'do not buy', 'may buy again'],
  ASK: ['does not sell', 'do not sell', 'may sell again'],
  some: ['trades only in part', 'trade only in part', 'may place all its orders again'],
} as const;

/** Returns what a strategy, or several of them, do not do while the block lasts. */
export function blockVerb({ only }: Pick<TradingBlock, 'only'>, count = 1): string {
  return verbs[only ?? 'all'][count === 1 ? 0 : 1];
}

/** Returns what a strategy may do when the block has ended. */
export function againVerb({ only }: Pick<TradingBlock, 'only'>): string {
  return verbs[only ?? 'all'][2];
}

const namePrefix = 'trading block ';

/** Returns the name under which the block of a strategy on a pair is stored. */
export function tradingBlockName(strategyId: string, pair: string): string {
  return `${namePrefix}${strategyId} ${pair}`;
}

/** Returns the names of the stored states that are blocks of trading. */
export function storedBlockNames(
  states: readonly { readonly name: string; readonly state: string }[],
): readonly string[] {
  return states.flatMap(({ name, state }) =>
    name.startsWith(namePrefix) && state !== 'null' ? [name] : [],
  );
}

/** Returns the blocks among stored states; a strategy that trades has none. */
export function storedTradingBlocks(
  states: readonly { readonly name: string; readonly state: string }[],
): readonly TradingBlock[] {
  return states.flatMap(({ name, state }) => {
    if (!name.startsWith(namePrefix)) return [];
    const block = JSON.parse(state) as TradingBlock | null;
    return block === null ? [] : [block];
  });
}
