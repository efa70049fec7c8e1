/**
 * What changes a simulated exchange from outside, as plain data: the lines of its log.
 *
 * The state after a command is a function of the state before it, of the command and of its time,
 * so a snapshot and the commands after it are the whole exchange. What the participants do needs no
 * line: it follows from the seed and the time.
 */
import type { MarketStatus } from '../../domain/market.ts';
import type { AccountType } from '../../exchange-api/account-types.ts';
import type { ErrorCode } from '../../exchange-api/error-codes.ts';
import type { OperationName } from '../../exchange-api/operations.ts';
import type { MoneyControl } from '../money/money-controls.ts';
import type { TradingControl } from '../trading/trading-controls.ts';
import type { WalletControl } from '../wallet/wallet-control.ts';

/** What an operator of the simulated exchange can do. */
export type Control =
  | {
      readonly kind: 'set-status';
      readonly pair: string;
      readonly status: MarketStatus;
      /** With DISABLED only: why the market is closed. */
      readonly isUnderMaintenance?: boolean;
    }
  | TradingControl
  | MoneyControl
  | WalletControl
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
  | { readonly kind: 'deposit'; readonly accountId: string; readonly amount: string }
  /** Opens an account that no operation creates, e.g. a SPOT_MARGIN one. */
  | {
      readonly kind: 'open-account';
      readonly userId: string;
      readonly currency: string;
      readonly type: AccountType;
    }
  /** The next call of the operation that comes so far fails with the code; several queue up. */
  | { readonly kind: 'fail-next'; readonly operation: OperationName; readonly code: ErrorCode };

/** An operation that changes something, after its checks; see calls.ts. */
type CallCommand = {
  readonly kind: 'call';
  readonly userId: string;
  readonly operation: string;
  readonly parameters: Readonly<Record<string, unknown>>;
};

export type Command = { readonly timeMicros: number } & (
  | CallCommand
  | Control
  /** A call failed because a `fail-next` asked for it, which is done with. */
  | { readonly kind: 'failed'; readonly operation: OperationName }
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
