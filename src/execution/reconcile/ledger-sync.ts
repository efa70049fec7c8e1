/**
 * Keeps the ledgers of the bot's accounts complete, and takes from them the balances for the gate
 * and the rows that prove fills.
 *
 * Invariants: reads continue after the last row, never from a time; an inconsistent ledger halts
 * the bot; if the exchange refuses to list a ledger, the bot continues without it and records an
 * incident.
 */
import { type Amount, amountOf, formatAmount } from '../../domain/amount.ts';
import type { Market } from '../../domain/market.ts';
import { type Decimal, decimalOf } from '../../domain/money.ts';
import type { LedgerRow } from '../../domain/records.ts';
import { wrongText } from '../../venue/row-checks.ts';
import type { MovementView, Page } from '../../venue/venue-reply.ts';
import type { BalanceReport } from '../../venue/venue-report.ts';
import type { FillBook } from '../fills/fill-book.ts';
import type { OrderStates } from '../orders/order-states.ts';
import { Demand } from '../requests/demand.ts';
import { call, describeFailure, type Procedure } from '../requests/procedure.ts';
import { RegularReader } from '../requests/regular-reader.ts';
import { AccountLedger, ledgerRowOf } from './account-ledger.ts';

const idlePeriodMs = 10_000;
/**
 * Every reservation creates a row. The gate already counts its own holds, so these rows are not
 * urgent.
 */
const spacingMs = 5_000;
/** Several balances change at once; one pass reads them all. */
const debounceMs = 100;
/** The extra time between passes while orders need the calls. */
const busyMs = 20_000;
/** With more unproven trades, no more rows are read, to bound memory. */
const openProofsMax = 20_000;

/** A balance from the user stream that no row confirms within this time is an incident. */
const unconfirmedMsMax = 60_000;
/** A deposit or withdrawal above this share of the currency's budgets is an incident. */
const flowShareMax = '0.1';

export type LedgerSyncOptions = {
  readonly orders: OrderStates;
  readonly fills: FillBook;
  readonly markets: ReadonlyMap<string, Market>;
  /** Account id by currency. */
  readonly accounts: Readonly<Record<string, string>>;
  readonly restored: readonly LedgerRow[];
  /** Sum of the strategies' budgets by currency. */
  readonly budgets: Readonly<Record<string, Decimal>>;
  /** Whether few calls were sent within the last minute. */
  readonly hasRoom: () => boolean;
};

type TradeName = { readonly pair: string; readonly sequence: string };

/** A balance from the user stream that the ledger has not confirmed. */
type Reported = { readonly report: BalanceReport; readonly sinceMs: number };

export class LedgerSync {
  readonly ledgers: readonly AccountLedger[];
  readonly #demand = new Demand();
  readonly #reader: RegularReader;
  readonly #options: LedgerSyncOptions;
  /** Ledgers that the exchange refuses to list. */
  readonly #refused = new Set<AccountLedger>();
  readonly #reported = new Map<AccountLedger, Reported>();
  /** Ledgers that were read to their end before, so that further rows are new. */
  readonly #known = new Set<AccountLedger>();
  /** The mark and the time of the newest request that was answered. */
  readonly #newest = new Map<AccountLedger, { readonly mark: number; readonly askedMs: number }>();
  /** Whether a ledger is inconsistent; nothing can be proven then. */
  #isBroken = false;
  #trouble = '';

  constructor(options: LedgerSyncOptions) {
    this.#options = options;
    this.ledgers = Object.entries(options.accounts).map(
      ([currency, accountId]) =>
        new AccountLedger(
          accountId,
          currency,
          options.restored.find((row) => row.accountId === accountId),
        ),
    );
    for (const ledger of this.ledgers)
      if (ledger.timestampMs !== undefined) this.#known.add(ledger);
    this.#reader = new RegularReader({
      demand: this.#demand,
      plan: options.orders.reads,
      read: {
        ...{ idleMs: idlePeriodMs, spacingMs, busyMs, calls: this.ledgers.length },
        isNeeded: () => this.#isUnsettled(),
      },
      debounceMs,
      pass: () => this.pass(),
      hasRoom: options.hasRoom,
    });
  }

  /** Continues after the last valid row of an inconsistent ledger, when a person has resumed. */
  readAgain(): void {
    this.#isBroken = false;
    this.request();
  }

  /** Whether a fill or a row waits for another pass. */
  #isUnsettled(): boolean {
    const { orders, fills } = this.#options;
    return orders.context.exposure.funds.hasSpends || fills.proofs.openCount > 0;
  }

  /** Why the last failed pass failed. */
  get trouble(): string {
    return this.#trouble;
  }

  /** Whether the exchange lists this ledger, so that balances can be compared with it. */
  isListed(ledger: AccountLedger): boolean {
    return !this.#refused.has(ledger);
  }

  /**
   * Returns the time, by the exchange's clock, before which every trade of a pair is in the rows
   * read so far: rows have no gaps, so any other trade is newer than the last row. Undefined if it
   * is not known.
   */
  completeBeforeMs(pair: string): number | undefined {
    const market = this.#options.markets.get(pair);
    if (market === undefined || this.#isBroken) return undefined;
    const base = this.#timestampMsOf(market.base);
    const counter = this.#timestampMsOf(market.counter);
    return base === undefined || counter === undefined ? undefined : Math.min(base, counter);
  }

  /** Returns the time of the last row of a listed ledger. */
  #timestampMsOf(currency: string): number | undefined {
    for (const ledger of this.ledgers)
      if (ledger.currency === currency)
        return this.#refused.has(ledger) ? undefined : ledger.timestampMs;
    return undefined;
  }

  /** Requests a pass soon. */
  request(): void {
    this.#demand.ask();
  }

  /** Takes a balance from the user stream: requests a pass, which compares it with the ledger. */
  noteBalance(report: BalanceReport): void {
    this.request();
    for (const ledger of this.ledgers) {
      if (ledger.accountId !== report.account || this.#refused.has(ledger)) continue;
      // Keeps only the first until it is confirmed, so that a wrong balance is not replaced.
      if (this.#reported.has(ledger)) return;
      this.#reported.set(ledger, { report, sinceMs: this.#options.orders.context.nowMs });
      return;
    }
  }

  /** Runs forever: a pass on each request, and at least every ten seconds. */
  run(): Procedure {
    return this.#reader.run();
  }

  /** Reads the accounts to their newest rows; returns whether it succeeded. */
  *pass(): Procedure<boolean> {
    let complete = true;
    for (const ledger of this.ledgers) {
      if (this.#refused.has(ledger)) continue;
      const askedMs = yield* this.#read(ledger);
      if (askedMs === undefined) complete = false;
      else this.#compareReported(ledger, askedMs);
    }
    if (this.#refused.size > 0) complete = (yield* this.#readBalances()) && complete;
    return complete;
  }

  /** Reads to the newest row. Returns the time of the last request; undefined if it failed. */
  *#read(ledger: AccountLedger): Procedure<number | undefined> {
    const { orders, fills } = this.#options;
    const { context } = orders;
    for (;;) {
      if (fills.proofs.openCount > openProofsMax) {
        this.#trouble = `${fills.proofs.openCount} trades are not proven yet; no more rows are read until they are`;
        return undefined;
      }
      let askedMs = context.nowMs;
      const from = ledger.nextRow;
      const mark = context.exposure.funds.mark();
      const reply = yield* call({
        priority: 'read',
        request: () => {
          askedMs = context.nowMs;
          return { kind: 'movements', account: ledger.accountId, fromRow: from };
        },
      });
      if (reply.kind === 'refused' && reply.reason === 'ledger-not-listed') {
        this.#continueWithout(ledger);
        return askedMs;
      }
      if (reply.kind !== 'ok' || this.#isBroken) {
        this.#trouble = reply.kind === 'ok' ? 'it is inconsistent' : describeFailure(reply);
        return undefined;
      }
      // Another pass has read these rows meanwhile.
      if (ledger.nextRow !== from) continue;
      if (!this.#takeRows(ledger, reply.value)) return undefined;
      // The rows continue those of any answer that came before, even to a later request.
      const before = this.#newest.get(ledger);
      const newest = before === undefined || before.mark < mark ? { mark, askedMs } : before;
      this.#newest.set(ledger, newest);
      if (ledger.timestampMs !== undefined)
        context.exposure.funds.setBalance(ledger.currency, {
          balance: ledger.balance,
          available: ledger.available,
          ...newest,
        });
      if (reply.value.end === undefined) continue;
      this.#known.add(ledger);
      return askedMs;
    }
  }

  /** Takes the rows of a response; returns whether all of them continue the ledger. */
  #takeRows(ledger: AccountLedger, page: Page<MovementView>): boolean {
    const { context } = this.#options.orders;
    const { accountId } = ledger;
    const [unusable] = page.wrong;
    for (const move of page.rows) {
      const wrong = ledger.take(move);
      if (wrong !== undefined) {
        this.#break(ledger, unusable === undefined ? wrong : wrongText(unusable));
        return false;
      }
      if (context.keepsAllRecords)
        context.record({ kind: 'ledger-row', row: ledgerRowOf(accountId, move) });
      const { trade, currency, delta, atMs } = move;
      if (trade !== undefined) this.#explain(trade, currency, delta, atMs);
      // Most rows only reserve funds.
      else if (delta !== 0n && this.#known.has(ledger))
        this.#noteFlow(ledgerRowOf(accountId, move));
    }
    if (unusable !== undefined) this.#break(ledger, wrongText(unusable));
    return unusable === undefined;
  }

  /**
   * Reports a large deposit, withdrawal or transfer as an incident. It is no fault, so nothing
   * halts: the gate checks the funds of every order anyway.
   */
  #noteFlow({ accountId, currency, kind, balanceDelta, description }: LedgerRow): void {
    const max = this.#options.budgets[currency]?.times(flowShareMax);
    if (max === undefined || decimalOf(balanceDelta).abs().lessThanOrEqualTo(max)) return;
    const { context } = this.#options.orders;
    context.incident(
      'EXTERNAL_FLOW',
      `account ${accountId} changed by ${balanceDelta} ${currency} without a trade of ours (${kind}: ${description}); ` +
        `that is above ${max.toFixed()}, a tenth of the budgets. If this was not you, halt the bot and check the account`,
    );
  }

  /** Compares a stored row with the fills, as rows that are read. */
  explain({ pair, sequence, currency, balanceDelta, timestampMs }: LedgerRow): void {
    if (pair === undefined || sequence === undefined) return;
    this.#explain({ pair, sequence }, currency, amountOf(balanceDelta), timestampMs);
  }

  /**
   * Compares a row with the fills. A row that they do not explain requests a read of the list of
   * trades; if they do, only the trade's row in the other currency is still to be read.
   */
  #explain(trade: TradeName, currency: string, delta: Amount, tradedMs: number): void {
    const { orders, fills, markets } = this.#options;
    const { pair, sequence } = trade;
    const market = markets.get(pair);
    if (market === undefined) return;
    const isBase = currency === market.base;
    const { nowMs } = orders.context;
    const proven = fills.proofs.addRow({ pair, sequence, isBase, delta, tradedMs, nowMs });
    if (proven.length > 0) fills.settle(proven);
    else if (!fills.proofs.isExplained(pair, sequence, isBase)) orders.requestTrades(pair);
  }

  #break(ledger: AccountLedger, wrong: string): void {
    this.#isBroken = true;
    const { context } = this.#options.orders;
    context.incident('LEDGER_BROKEN', `account ${ledger.accountId} (${ledger.currency}): ${wrong}`);
    context.setTradingState('bot', 'HALTED', `the ledger of ${ledger.currency} is inconsistent`);
  }

  /** Continues without a ledger: order records and the list of trades still confirm fills. */
  #continueWithout(ledger: AccountLedger): void {
    if (this.#refused.has(ledger)) return;
    this.#refused.add(ledger);
    const { orders, fills, markets } = this.#options;
    orders.context.incident(
      'LEDGER_NOT_LISTED',
      `account ${ledger.accountId} (${ledger.currency}) has more rows than the exchange lists; ` +
        'fills are compared with order records only, until a start with another account',
    );
    for (const { pair, base, counter } of markets.values()) {
      if (base === ledger.currency) fills.settle(fills.proofs.markUnreadable(pair, 'base'));
      if (counter === ledger.currency) fills.settle(fills.proofs.markUnreadable(pair, 'counter'));
    }
  }

  /** Reads the balances of the accounts whose ledgers are not listed. */
  *#readBalances(): Procedure<boolean> {
    const { context } = this.#options.orders;
    const mark = context.exposure.funds.mark();
    const askedMs = context.nowMs;
    const reply = yield* call({ priority: 'read', request: () => ({ kind: 'balances' }) });
    if (reply.kind !== 'ok') {
      this.#trouble = describeFailure(reply);
      return false;
    }
    for (const { account, balance, available } of reply.value)
      for (const ledger of this.#refused)
        if (ledger.accountId === account)
          context.exposure.funds.setBalance(ledger.currency, { balance, available, mark, askedMs });
    return true;
  }

  /**
   * Compares a balance of the user stream with the ledger, which is authoritative; a contradiction
   * that lasts a minute is an incident. Only reads requested after that minute count, because a
   * pause of this process may delay the response to an earlier one.
   */
  #compareReported(ledger: AccountLedger, askedMs: number): void {
    const reported = this.#reported.get(ledger);
    if (reported === undefined) return;
    const { row, balance } = reported.report;
    const { context } = this.#options.orders;
    const isConfirmed = ledger.isBalanceAfter(row, balance);
    // An old row, repeated after a reconnect, can no longer be compared.
    const isPast = isConfirmed === undefined && row < ledger.nextRow;
    if (isConfirmed === true || isPast) {
      this.#reported.delete(ledger);
      return;
    }
    if (askedMs - reported.sinceMs < unconfirmedMsMax) return;
    this.#reported.delete(ledger);
    context.incident(
      'BALANCE_DIFFERS',
      `the user stream reports a balance of ${formatAmount(balance)} ${ledger.currency} after row ${row}; ` +
        `the ledger ${isConfirmed === false ? 'has another balance' : `ends at row ${ledger.nextRow - 1}`}`,
    );
  }
}
