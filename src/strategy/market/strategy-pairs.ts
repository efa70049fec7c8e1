/** The pairs of a strategy, for which it may or may not ask for orders. */
import { type StrategySettings, seenPairs } from '../../domain/bot-settings.ts';
import { describe } from '../json-value.ts';

export type StrategyPairs = {
  readonly traded: ReadonlySet<string>;
  /** Those that it trades, then those that it only watches. */
  readonly seen: readonly string[];
};

export function strategyPairsOf(settings: Pick<StrategySettings, 'pairs' | 'watch'>) {
  return { traded: new Set(settings.pairs), seen: seenPairs(settings) };
}

/** Returns why an intent for `pair`, which the strategy does not trade, is invalid. */
export function pairProblem(pair: unknown, { traded, seen }: StrategyPairs): string {
  if (typeof pair === 'string' && seen.includes(pair))
    return (
      `pair must be one that the strategy trades, and it only watches ${pair}: ` +
      'to trade it, move it from watch to pairs in the settings'
    );
  if (traded.size === 0)
    return `pair must be one that the strategy trades, and it only watches; was ${describe(pair)}`;
  return `pair must be one of the strategy's pairs (${[...traded].join(', ')}), was ${describe(pair)}`;
}
