/** A venue that a behaviour is tried on, and what moves it. */
import type { TimeInForce } from '../../../src/domain/bot-settings.ts';
import type { Market, MarketStatus, Side } from '../../../src/domain/market.ts';
import type { VenueReader } from '../../../src/venue/venue-reader.ts';
import type { VenueReply } from '../../../src/venue/venue-reply.ts';
import type { VenueReport } from '../../../src/venue/venue-report.ts';
import type { VenueRequest } from '../../../src/venue/venue-request.ts';

export type PlacedOrder = {
  readonly side: Side;
  /** Plain decimals. */
  readonly price: string;
  readonly volume: string;
  readonly clientOrderId?: string;
  readonly timeInForce?: TimeInForce;
};

/** How a venue fails a reader. */
export type ReaderFault = 'unknown-key' | 'throttled' | 'failing' | 'unreachable' | 'page';

export interface VenueWorld {
  /** Reads the account that `place` trades for. */
  readonly reader: VenueReader;
  /** The market that is traded in, with nobody else in it. */
  readonly market: Market;
  readonly nowMs: number;
  /** Asks as a running bot does, orders included. */
  ask<Request extends VenueRequest>(request: Request): Promise<VenueReply<Request['kind']>>;
  /** What was reported about the account since the last call. */
  reports(): readonly VenueReport[];
  /** Places an order of the account; returns the venue's id of it. */
  place(order: PlacedOrder): string;
  /** Places an order of somebody else, who trades with ours. */
  placeAsOther(order: PlacedOrder): string;
  /** Two others trade with each other at a price, a plain decimal. */
  tradeOfOthers(price: string): void;
  cancel(orderId: string): void;
  advance(ms: number): void;
  setStatus(status: MarketStatus): void;
  /** A reader of the same account that the venue fails. */
  failingReader(fault: ReaderFault): VenueReader;
}

/** What not every venue has. `calls`: requests leave the process, and may fail on their way. */
export type Ability = 'calls' | 'candles' | 'last-trade';

/** One adapter with a venue behind it. */
export type VenueUnderTest = {
  readonly name: string;
  readonly lacks: readonly Ability[];
  /** A new account in a new venue. */
  readonly open: () => VenueWorld;
};

/** What every adapter must do, by a check that throws for one that does not. */
export type Behaviour = {
  readonly name: string;
  /** A venue that lacks it is not tried. */
  readonly needs?: Ability;
  readonly check: (world: VenueWorld) => Promise<void>;
};
