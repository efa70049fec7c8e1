/** A venue that a behaviour is tried on, and what moves it. */
import type { TimeInForce } from '../../../src/domain/bot-settings.ts';
import type { Market, MarketStatus, Side } from '../../../src/domain/market.ts';
import type { VenueReader } from '../../../src/venue/venue-reader.ts';

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
  /** Places an order of the account; returns the venue's id of it. */
  place(order: PlacedOrder): string;
  /** Places an order of somebody else, who trades with ours. */
  placeAsOther(order: PlacedOrder): string;
  cancel(orderId: string): void;
  advance(ms: number): void;
  setStatus(status: MarketStatus): void;
  /** A reader of the same account that the venue fails. */
  failingReader(fault: ReaderFault): VenueReader;
}

/** One adapter with a venue behind it. */
export type VenueUnderTest = {
  readonly name: string;
  /** A new account in a new venue. */
  readonly open: () => VenueWorld;
};

/** What every adapter must do, by a check that throws for one that does not. */
export type Behaviour = {
  readonly name: string;
  readonly check: (world: VenueWorld) => Promise<void>;
};
