/**
 * Keeps the ledgers of the bot's accounts complete and uses them: balances for the gate, and rows
 * of trades as the proof of fills.
 *
 * Invariants: rows are read from the one after the last, never from a time; a ledger that breaks
 * its own rules halts the bot; one that the exchange refuses to list is done without, and said so.
 */
import { amountOf } from '../../domain/amount.ts';
import type { Market } from '../../domain/market.ts';
import { Decimal, decimalOf, formatDecimal } from '../../domain/money.ts';
import type { LedgerRow } from '../../domain/records.ts';
import { limits } from '../../exchange-api/limits.ts';
import type { BalanceUpdate } from '../../exchange-api/user-messages.ts';
import type { FillBook } from '../fills/fill-book.ts';
import type { OrderStates } from '../orders/order-states.ts';
import { Demand } from '../requests/demand.ts';
import { call, describeReply, type Procedure } from '../requests/procedure.ts';
import type { ReadPauses } from '../requests/read-pauses.ts';
import { RegularReader } from '../requests/regular-reader.ts';
import { AccountLedger } from './account-ledger.ts';

const idlePeriodMs = 10_000;
/**
 * Every reservation makes a row; the gate's own holds are ahead of them, so nothing waits for
 * these.
 */
const spacingMs = 5_000;
/** While orders need the calls, passes are this much further apart. */
const busyMs = 10_000;
/** Trades that wait for fills or rows; beyond, the rows wait, so that memory stays bounded. */
const openProofsMax = 20_000;
/** What the user stream says of a balance and no row has confirmed by then is an incident. */
const toldMsMax = 60_000;
/** What comes or goes from outside is an incident above this share of the currency's budgets. */
const flowShareMax = '0.1';

export type LedgerSyncOptions = {
  readonly orders: OrderStates;
  readonly fills: FillBook;
  readonly markets: ReadonlyMap<string, Market>;
  /** Account id per currency. */
  readonly accounts: Readonly<Record<string, string>>;
  readonly restored: readonly LedgerRow[];
  /** Sum of the strategies' budgets per currency. */
  readonly budgets: Readonly<Record<string, Decimal>>;
  readonly pauses: ReadPauses | undefined;
  /** Whether few calls left within the last minute. */
  readonly hasRoom: () => boolean;
};

/** What the user stream said of an account and the ledger has not confirmed. */
type Told = { readonly update: BalanceUpdate; readonly sinceMs: number };

export class LedgerSync {
  readonly ledgers: readonly AccountLedger[];
  readonly #demand = new Demand();
  readonly #reader: RegularReader;
  readonly #options: LedgerSyncOptions;
  /** Ledgers that the exchange does not list any more. */
  readonly #refused = new Set<AccountLedger>();
  readonly #told = new Map<AccountLedger, Told>();
  /** Ledgers that were read to their end before: what comes now is new. */
  readonly #known = new Set<AccountLedger>();
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
    for (const ledger of this.ledgers) if (ledger.last !== undefined) this.#known.add(ledger);
    this.#reader = new RegularReader({
      demand: this.#demand,
      cycle: { idleMs: idlePeriodMs, debounceMs: 0, calls: this.ledgers.length, spacingMs },
      pass: (made) => this.pass(made),
      // Without a ledger balances are read instead, with a call of their own.
      isSettled: () =>
        this.#told.size === 0 &&
        this.#refused.size === 0 &&
        !options.orders.context.exposure.hasSpends,
      pauses: options.pauses,
      busyMs,
      hasRoom: options.hasRoom,
    });
  }

  /** Whether a ledger broke its own rules; nothing can be proven then. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Reads on from the last good row of a ledger that was broken, when a person has looked. */
  readAgain(): void {
    this.#isBroken = false;
    this.request();
  }

  /** Why the last pass that failed did. */
  get trouble(): string {
    return this.#trouble;
  }

  /** Whether the exchange lists this ledger, so that balances can be held against it. */
  isListed(ledger: AccountLedger): boolean {
    return !this.#refused.has(ledger);
  }

  /**
   * The time before which every trade of a pair is in the ledgers that were read, by the exchange's
   * clock: rows are dense, so a trade that is not in them came after their last one. Undefined if
   * that cannot be said.
   */
  completeBeforeMs(pair: string): number | undefined {
    const market = this.#options.markets.get(pair);
    if (market === undefined || this.#isBroken) return undefined;
    const times = [market.base, market.counter].map((currency) => {
      const ledger = this.ledgers.find((one) => one.currency === currency);
      return ledger === undefined || this.#refused.has(ledger)
        ? undefined
        : ledger.last?.timestampMs;
    });
    const [base, counter] = times;
    return base === undefined || counter === undefined ? undefined : Math.min(base, counter);
  }

  /** Asks for a pass soon. */
  request(): void {
    this.#demand.ask();
  }

  /** Takes what the user stream says of a balance: a reason to read, and to be held against it. */
  noteBalance(update: BalanceUpdate): void {
    this.request();
    const ledger = this.ledgers.find((one) => one.accountId === update.account_id);
    if (ledger === undefined || this.#refused.has(ledger)) return;
    // One at a time, until it is confirmed: a flood needs no room, and a lie is not replaced.
    if (this.#told.has(ledger)) return;
    this.#told.set(ledger, { update, sinceMs: this.#options.orders.context.nowMs });
  }

  /** Runs for ever: a pass whenever one is asked for, and every ten seconds anyway. */
  run(): Procedure {
    return this.#reader.run();
  }

  /** Reads every account from the one at `first` on to its newest row; returns whether it could. */
  *pass(first = 0): Procedure<boolean> {
    let complete = true;
    for (const ledger of this.ledgers.slice(first)) {
      if (this.#refused.has(ledger)) continue;
      const askedMs = yield* this.#read(ledger);
      if (askedMs === undefined) complete = false;
      else this.#compareTold(ledger, askedMs);
    }
    if (this.#refused.size > 0) complete = (yield* this.#readBalances()) && complete;
    return complete;
  }

  /** Returns when it asked for the last rows; undefined if the end was not reached. */
  *#read(ledger: AccountLedger): Procedure<number | undefined> {
    const { orders, fills } = this.#options;
    const { context } = orders;
    for (;;) {
      if (fills.proofs.openCount > openProofsMax) {
        this.#trouble = `${fills.proofs.openCount} trades wait for rows that explain them, and no more are taken in`;
        return undefined;
      }
      let askedMs = context.nowMs;
      const from = ledger.nextRow;
      const mark = context.exposure.mark();
      const reply = yield* call({
        priority: 'read',
        operation: 'transactions',
        parameters: () => {
          askedMs = context.nowMs;
          return {
            id: ledger.accountId,
            min_row: String(from),
            max_row: String(from + limits.ledgerRowsPerCallMax),
          };
        },
      });
      if (reply.kind === 'refused' && reply.code === 'ErrAccountRowLimit') {
        this.#doWithout(ledger);
        return askedMs;
      }
      if (reply.kind !== 'ok' || this.#isBroken) {
        this.#trouble = reply.kind === 'ok' ? 'it broke its own rules' : describeReply(reply);
        return undefined;
      }
      // Another pass was faster; its rows are these.
      if (ledger.nextRow !== from) continue;
      const { transactions } = reply.body;
      const stranger = transactions.find((entry) => entry.account_id !== ledger.accountId);
      if (stranger !== undefined) {
        // An answer to another question says nothing about this ledger.
        this.#trouble = `${ledger.accountId} was asked for, and rows of ${stranger.account_id} were answered`;
        return undefined;
      }
      for (const entry of transactions) {
        const row = ledger.take(entry);
        if ('wrong' in row) {
          this.#break(ledger, row.wrong);
          return undefined;
        }
        if (context.keepsAllRecords) context.record({ kind: 'ledger-row', row });
        this.explain(row);
        if (this.#known.has(ledger)) this.#noteFlow(row);
      }
      if (ledger.last !== undefined)
        context.exposure.setBalance(ledger.currency, {
          balance: ledger.last.balance,
          available: ledger.last.available,
          mark,
        });
      if (transactions.length >= limits.ledgerRowsPerCallMax) continue;
      this.#known.add(ledger);
      return askedMs;
    }
  }

  /** A deposit, a withdrawal, a transfer: the books go on from it, and a large one is told. */
  #noteFlow({ accountId, currency, kind, balanceDelta, pair, description }: LedgerRow): void {
    // Most rows only set something aside.
    if (pair !== undefined || amountOf(balanceDelta) === 0n) return;
    const max = this.#options.budgets[currency]?.times(flowShareMax);
    if (max === undefined || decimalOf(balanceDelta).abs().lessThanOrEqualTo(max)) return;
    const { context } = this.#options.orders;
    context.incident(
      'EXTERNAL_FLOW',
      `${balanceDelta} ${currency} came or went in account ${accountId} that no trade of ours explains (${kind}: ${description}); ` +
        `above ${max.toFixed()}, a tenth of the budgets. If nobody of you did that, halt the bot and look at the account`,
    );
  }

  /**
   * Holds a row against the fills; a row of a trade that nobody knows asks for the list of trades.
   */
  explain(row: LedgerRow): void {
    const { orders, fills, markets } = this.#options;
    if (row.pair === undefined || row.sequence === undefined) return;
    const market = markets.get(row.pair);
    if (market === undefined) return;
    const proven = fills.proofs.addRow({
      pair: row.pair,
      sequence: row.sequence,
      isBase: row.currency === market.base,
      delta: amountOf(row.balanceDelta),
      tradedMs: row.timestampMs,
      nowMs: orders.context.nowMs,
    });
    if (proven.length > 0) fills.settle(proven);
    else orders.requestTrades(row.pair);
  }

  #break(ledger: AccountLedger, wrong: string): void {
    this.#isBroken = true;
    const { context } = this.#options.orders;
    context.incident('LEDGER_BROKEN', `account ${ledger.accountId} (${ledger.currency}): ${wrong}`);
    context.setTradingState(
      'bot',
      'HALTED',
      `the ledger of ${ledger.currency} broke its own rules`,
    );
  }

  /** Order records and the list of trades remain as witnesses; only the proof by rows is lost. */
  #doWithout(ledger: AccountLedger): void {
    if (this.#refused.has(ledger)) return;
    this.#refused.add(ledger);
    const { orders, fills, markets } = this.#options;
    orders.context.incident(
      'LEDGER_NOT_LISTED',
      `account ${ledger.accountId} (${ledger.currency}) has more rows than the exchange lists; ` +
        'fills are held against order records only, until a start with another account',
    );
    for (const { pair, base, counter } of markets.values()) {
      if (base === ledger.currency) fills.settle(fills.proofs.giveUp(pair, 'base'));
      if (counter === ledger.currency) fills.settle(fills.proofs.giveUp(pair, 'counter'));
    }
  }

  /** What there is to spend in the accounts whose ledgers cannot be read. */
  *#readBalances(): Procedure<boolean> {
    const { context } = this.#options.orders;
    const mark = context.exposure.mark();
    const reply = yield* call({ priority: 'read', operation: 'balance', parameters: () => ({}) });
    if (reply.kind !== 'ok') {
      this.#trouble = describeReply(reply);
      return false;
    }
    const { balance } = reply.body;
    for (const ledger of this.#refused) {
      const entry = balance.find((one) => one.account_id === ledger.accountId);
      if (entry === undefined) continue;
      const available = new Decimal(entry.balance).minus(entry.reserved);
      context.exposure.setBalance(ledger.currency, {
        balance: entry.balance,
        available: formatDecimal(available),
        mark,
      });
    }
    return true;
  }

  /**
   * The ledger is right; a stream that goes on contradicting it tells that something is not. What
   * was asked for before the minute was over says nothing: an answer may come after a standstill.
   */
  #compareTold(ledger: AccountLedger, askedMs: number): void {
    const told = this.#told.get(ledger);
    if (told === undefined) return;
    const { row_index: rowIndex, balance } = told.update;
    const { context } = this.#options.orders;
    const isConfirmed = ledger.saysOf(rowIndex, balance);
    // A row of long ago, as a reconnect repeats it, cannot be compared any more.
    const isPast = isConfirmed === undefined && rowIndex < ledger.nextRow;
    if (isConfirmed === true || isPast) {
      this.#told.delete(ledger);
      return;
    }
    if (askedMs - told.sinceMs < toldMsMax) return;
    this.#told.delete(ledger);
    context.incident(
      'BALANCE_DIFFERS',
      `the user stream says that row ${rowIndex} of ${ledger.currency} left ${balance}; ` +
        `its ledger ${isConfirmed === false ? 'says otherwise' : `ends at row ${ledger.nextRow - 1}`}`,
    );
  }
}
