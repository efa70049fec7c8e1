/**
 * The commands that change a simulated exchange from outside, as plain data: the lines of its log.
 *
 * The state after a command depends only on the state before it, the command and its time. So a
 * snapshot and the commands after it are the whole exchange. Actions of the participants are not
 * logged, because they follow from the seed and the time.
 */
import type { MarketStatus } from '../../../../domain/market.ts';
import type { AccountType } from '../../api/account-types.ts';
import type { ErrorCode } from '../../api/error-codes.ts';
import type { OperationName } from '../../api/operations.ts';
import type { MoneyControl } from '../money/money-controls.ts';
import type { TradingControl } from '../trading/trading-controls.ts';
import type { WalletControl } from '../wallet/wallet-control.ts';

/** Commands of the operator of the simulated exchange. */
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
  /** Adds money to an account from outside, or removes it if negative. */
  | { readonly kind: 'deposit'; readonly accountId: string; readonly amount: string }
  /** Opens an account that no operation creates, e.g. a SPOT_MARGIN one. */
  | {
      readonly kind: 'open-account';
      readonly userId: string;
      readonly currency: string;
      readonly type: AccountType;
    }
  /**
   * The next call of the operation that passes the checks of key, limit and permission fails with
   * the code. Several failures queue up.
   */
  | { readonly kind: 'fail-next'; readonly operation: OperationName; readonly code: ErrorCode };

/** A checked call of an operation that changes something; see calls.ts. */
type CallCommand = {
  readonly kind: 'call';
  readonly userId: string;
  readonly operation: string;
  readonly parameters: Readonly<Record<string, unknown>>;
};

export type Command = { readonly timeMicros: number } & (
  | CallCommand
  | Control
  /** A call failed because a `fail-next` requested it; that request is used up. */
  | { readonly kind: 'failed'; readonly operation: OperationName }
  /**
   * Until `untilMicros` the exchange may advance and publish without another line. A restart
   * continues from there, because anything until then may have been published.
   */
  | { readonly kind: 'horizon'; readonly untilMicros: number; readonly mark: Mark }
  /** The exchange was not running until `toMicros`: everything due is postponed by the gap. */
  | { readonly kind: 'pause'; readonly toMicros: number }
);

/** Counters of the state at the time of a command. A replay with other counters has diverged. */
export type Mark = {
  readonly orderCount: number;
  readonly rowCount: number;
  readonly tradeSequences: readonly string[];
};
