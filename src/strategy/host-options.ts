/** What the host of a strategy is given, and whom it tells when code of the plugin runs. */
import type { StrategySettings } from '../domain/bot-settings.ts';
import type { CallsLeft } from '../domain/calls-left.ts';
import type { AnyStrategy } from './contract.ts';
import type { FeedChange, FeedView } from './feeds/strategy-feeds.ts';
import type { WatchedAccess } from './market/watched-context.ts';
import type { MarketAccess } from './market-context.ts';
import type { MarketEvent } from './market-streams.ts';

export type HostOptions = {
  readonly settings: StrategySettings;
  readonly strategy: AnyStrategy;
  /** At the start, already checked against the plugin's schema. */
  readonly parameters: unknown;
  /** By pair, for every pair that it trades. */
  readonly markets: ReadonlyMap<string, MarketAccess>;
  /** By pair, for every pair that it only watches; none unless given. */
  readonly watched?: ReadonlyMap<string, WatchedAccess>;
  /** By name, for every feed in the settings; none unless given. */
  readonly feeds?: ReadonlyMap<string, FeedView>;
  readonly random: () => number;
  /** See {@link Context.callsLeft}. */
  readonly callsLeft: () => CallsLeft;
  /**
   * The state of the strategy's last committed `remember`, as stored; undefined if there is none.
   */
  readonly state: unknown;
  readonly startMs: number;
  /** Told when code of the plugin is about to run and when it has returned. */
  readonly observer?: HostObserver | undefined;
};

export type HostObserver = {
  readonly entering: (strategyId: string, cause: EntryCause) => void;
  readonly left: (strategyId: string) => void;
};

/** Why code of a plugin runs: its start, a due timer, new parameters, or a value of a stream. */
export type EntryCause =
  | { readonly kind: 'start' | 'timer' | 'parameters' }
  | FeedChange
  | MarketEvent;
