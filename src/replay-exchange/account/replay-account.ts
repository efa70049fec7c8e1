/**
 * An account at the replay exchange with all its markets: one ledger account for each currency, one
 * sequence of order ids, and an {@link AccountMarket} for each market.
 *
 * Invariant: a `client_order_id` identifies one order across all markets, or one open order where
 * the profile of the exchange says so.
 */
import { amountOf } from '../../domain/amount.ts';
import { assert } from '../../domain/errors.ts';
import type { Market } from '../../domain/market.ts';
import { appendRow, type LedgerAccount } from '../../exchange-accounts/ledger.ts';
import type { VenueReport } from '../../venue/venue-report.ts';
import { AccountMarket, type ExchangeRules, type TradedMarket } from './account-market.ts';
import { type AccountChange, type AccountSnapshot, marketSnapshotOf } from './account-snapshot.ts';
import { OrderIds } from './order-ids.ts';
import type { ReplayOrder } from './replay-order.ts';

export type ReplayAccountOptions = {
  /** The rules of the exchange. */
  readonly profile: ExchangeRules;
  /** At least one, including all markets in which an earlier process had orders. */
  readonly markets: readonly TradedMarket[];
  /**
   * The start balance of each ledger account that is new. Must contain the currencies of all
   * markets. The accounts are numbered in this order.
   */
  readonly balances: Readonly<Record<string, string>>;
  readonly startedMs: number;
  /** The state from an earlier process, from which the account continues, without open orders. */
  readonly before?: AccountSnapshot | undefined;
  /**
   * How long finished orders and ledger rows can be queried, and a client order id is refused as
   * used; by default forever.
   */
  readonly keptMs?: number | undefined;
  /** How long trades can be queried; by default as long as orders. */
  readonly tradesKeptMs?: number | undefined;
  /** Called with each change to remember, before the report about it. */
  readonly onChange?: ((change: AccountChange) => void) | undefined;
  /**
   * Whether it is reported that an order was accepted; by default it is. A bot without a reconciler
   * learns nothing from it that the answer to its order does not tell.
   */
  readonly announcesOrders?: boolean | undefined;
  /** Called with what is reported to the owner, at the exchange's time. */
  readonly onReport: (report: VenueReport, atMicros: number) => void;
};

export class ReplayAccount {
  /** By currency. */
  readonly accounts: ReadonlyMap<string, LedgerAccount>;
  /** By pair. */
  readonly markets: ReadonlyMap<string, AccountMarket>;
  readonly #allAccounts: readonly LedgerAccount[];
  readonly #allMarkets: readonly AccountMarket[];
  readonly #onChange: ((change: AccountChange) => void) | undefined;

  constructor(options: ReplayAccountOptions) {
    const { markets, balances, startedMs, before, onReport, profile } = options;
    const { keptMs = Infinity, tradesKeptMs = keptMs } = options;
    const { announcesOrders = true } = options;
    this.#onChange = options.onChange;
    this.accounts = new Map(
      Object.keys(balances).map((currency, index) => [
        currency,
        ledgerAccountOf(String(index + 1), currency),
      ]),
    );
    this.#allAccounts = [...this.accounts.values()];
    for (const { currency, entry } of before?.entries ?? []) {
      const account = this.accounts.get(currency);
      if (account !== undefined) appendRow(account, entry);
    }
    this.#credit(balances, startedMs);
    const shared = {
      accounts: this.accounts,
      orderIds: new OrderIds(before?.orders.length),
      profile,
      isUsed: (clientOrderId: string) => {
        const order = this.orderOfClientId(clientOrderId);
        return order !== undefined && (profile.placing.idsLast || order.status !== 'COMPLETE');
      },
      ...{ keptMs, tradesKeptMs, announcesOrders },
      onChange: this.#onChange,
      onReport,
    };
    this.markets = new Map(
      markets.map((one) => [
        one.market.pair,
        new AccountMarket({
          ...one,
          ...shared,
          startedMs,
          before: before && marketSnapshotOf(before, one.market.pair),
        }),
      ]),
    );
    this.#allMarkets = [...this.markets.values()];
    for (const { id, pair } of before?.orders ?? [])
      assert(this.markets.has(pair), `order ${id} of an earlier process needs the market ${pair}`);
  }

  /** Returns the rules of one of the account's markets. */
  readonly marketOf = (pair: string): Market => {
    const accountMarket = this.markets.get(pair);
    if (accountMarket === undefined) assert(false, `${pair} must be a market of the account`);
    return accountMarket.market;
  };

  /** Returns the ledger account with an id. */
  accountOf(id: string): LedgerAccount | undefined {
    return this.#allAccounts.find((account) => account.id === id);
  }

  /** Cancels a pending order at the exchange's time; returns whether there is one. */
  cancel(orderId: string, atMicros: number): boolean {
    for (const accountMarket of this.#allMarkets)
      if (accountMarket.cancel(orderId, atMicros)) return true;
    return false;
  }

  /** Returns an order by the exchange's id. */
  orderOf(orderId: string): ReplayOrder | undefined {
    for (const { orders } of this.#allMarkets) {
      const order = orders.get(orderId);
      if (order !== undefined) return order;
    }
    return undefined;
  }

  /** Returns an order by its client order id. */
  orderOfClientId(clientOrderId: string): ReplayOrder | undefined {
    for (const { orders } of this.#allMarkets) {
      const order = orders.byClientId(clientOrderId);
      if (order !== undefined) return order;
    }
    return undefined;
  }

  /**
   * Returns the ids of orders, oldest first: of one market or of all, and only of open orders if
   * `isOpen`.
   */
  orderIdsOf(pair: string | undefined, isOpen: boolean): readonly string[] {
    const markets = this.#allMarkets.filter(
      ({ market }) => pair === undefined || market.pair === pair,
    );
    const ids = markets.flatMap(({ orders }) =>
      isOpen ? orders.pending.map(({ orderId }) => orderId) : [...orders.keys()],
    );
    // Ids are assigned in order of time across all markets.
    return markets.length === 1 ? ids : ids.sort();
  }

  /** Writes the start balance as the first row of each account that has no rows. */
  #credit(balances: Readonly<Record<string, string>>, startedMs: number): void {
    for (const account of this.accounts.values()) {
      if (account.rowCount > 0) continue;
      const entry = {
        timeMs: startedMs,
        balanceDelta: amountOf(balances[account.currency] ?? '0'),
        reservedDelta: 0n,
        kind: 'TRANSFER',
        description: 'Start balance',
        reference: '',
      } as const;
      this.#onChange?.({ kind: 'entry', currency: account.currency, entry });
      appendRow(account, entry);
    }
  }
}

function ledgerAccountOf(id: string, currency: string): LedgerAccount {
  return { id, currency, balance: 0n, reserved: 0n, rowCount: 0, rows: [] };
}
