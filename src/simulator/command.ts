/**
 * What changes a simulated exchange from outside, as plain data: the lines of its log.
 *
 * The state after a command is a function of the state before it, of the command and of its time,
 * so a snapshot and the commands after it are the whole exchange. What the participants do needs no
 * line: it follows from the seed and the time.
 */
import type { MarketStatus } from '../domain/market.ts';
import type { OrderParameters } from './order-check.ts';

/** What an operator of the simulated exchange can do. */
export type Control =
  | { readonly kind: 'set-status'; readonly pair: string; readonly status: MarketStatus }
  | { readonly kind: 'revoke-key'; readonly keyId: string }
  | {
      readonly kind: 'add-key';
      readonly keyId: string;
      /** Hexadecimal SHA-256 of the secret. */
      readonly secretDigest: string;
      readonly userId: string;
      readonly permissions: number;
    }
  /** A ledger row that no order caused. */
  | { readonly kind: 'deposit'; readonly accountId: string; readonly amount: string };

export type Command = { readonly timeMicros: number } & (
  | { readonly kind: 'place'; readonly userId: string; readonly parameters: OrderParameters }
  | { readonly kind: 'stop'; readonly userId: string; readonly orderId: string }
  | Control
  /**
   * Up to `untilMicros` the world may go on and be seen without another line. A restart goes on
   * from there, since something may have been published until then.
   */
  | { readonly kind: 'horizon'; readonly untilMicros: number; readonly mark: Mark }
  /** The exchange was not running: everything that was due is put off until `toMicros`. */
  | { readonly kind: 'pause'; readonly toMicros: number }
);

/** Some figures of the state at the time of a command; a replay that has others went astray. */
export type Mark = {
  readonly orderCount: number;
  readonly rowCount: number;
  readonly tradeSequences: readonly string[];
};
