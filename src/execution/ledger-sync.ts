/**
 * Keeps the ledgers of the bot's accounts complete and uses them: balances for the gate, and rows
 * of trades as the proof of fills.
 */
import type { Market } from '../domain/market.ts';
import { decimalOf } from '../domain/money.ts';
import type { LedgerRow } from '../domain/records.ts';
import { limits } from '../interface/limits.ts';
import type { TransactionEntry } from '../interface/operations/accounts.ts';
import { AccountLedger } from './account-ledger.ts';
import { Demand } from './demand.ts';
import type { Executor } from './executor.ts';
import type { FillBook } from './fill-book.ts';
import { call, type Procedure, wait } from './procedure.ts';

const idlePeriodMs = 10_000;
/**
 * Every reservation makes a row; the gate's own holds are ahead of them, so nothing waits for
 * these.
 */
const spacingMs = 5_000;

export type LedgerSyncOptions = {
  readonly executor: Executor;
  readonly fills: FillBook;
  readonly markets: ReadonlyMap<string, Market>;
  /** Account id per currency. */
  readonly accounts: Readonly<Record<string, string>>;
  readonly restored: readonly LedgerRow[];
};

export class LedgerSync {
  readonly ledgers: readonly AccountLedger[];
  readonly #demand = new Demand();
  readonly #options: LedgerSyncOptions;
  #isBroken = false;

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
  }

  /** Whether a ledger broke its own rules; nothing can be proven then. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Asks for a pass soon. */
  request(): void {
    this.#demand.ask();
  }

  /** Runs for ever: a pass whenever one is asked for, and every ten seconds anyway. */
  *run(): Procedure {
    for (;;) {
      yield* this.#demand.next(idlePeriodMs);
      yield* this.pass();
      yield* wait(spacingMs);
    }
  }

  /** Reads every account to its newest row; returns whether that worked. */
  *pass(): Procedure<boolean> {
    let complete = true;
    for (const ledger of this.ledgers) complete = (yield* this.#read(ledger)) && complete;
    return complete;
  }

  *#read(ledger: AccountLedger): Procedure<boolean> {
    const { desk } = this.#options.executor;
    for (;;) {
      const from = ledger.nextRow;
      const mark = desk.exposure.mark();
      const reply = yield* call({
        lane: 'read',
        operation: 'transactions',
        parameters: () => ({
          id: ledger.accountId,
          min_row: String(from),
          max_row: String(from + limits.ledgerRowsPerCallMax),
        }),
      });
      if (reply.kind !== 'ok' || this.#isBroken) return false;
      // Another pass was faster; its rows are these.
      if (ledger.nextRow !== from) continue;
      const { transactions } = reply.body as { readonly transactions: readonly TransactionEntry[] };
      for (const entry of transactions) {
        const row = ledger.take(entry);
        if ('wrong' in row) return this.#break(ledger, row.wrong);
        desk.record({ kind: 'ledger-row', row });
        this.explain(row);
      }
      if (ledger.last !== undefined)
        desk.exposure.setBalance(ledger.currency, {
          balance: ledger.last.balance,
          available: ledger.last.available,
          mark,
        });
      if (transactions.length < limits.ledgerRowsPerCallMax) return true;
    }
  }

  /**
   * Holds a row against the fills; a row of a trade that nobody knows asks for the list of trades.
   */
  explain(row: LedgerRow): void {
    const { executor, fills, markets } = this.#options;
    if (row.pair === undefined || row.sequence === undefined) return;
    const market = markets.get(row.pair);
    if (market === undefined) return;
    const proven = fills.proofs.addRow({
      pair: row.pair,
      sequence: row.sequence,
      isBase: row.currency === market.base,
      delta: decimalOf(row.balanceDelta),
      tradedMs: row.timestampMs,
      nowMs: executor.desk.nowMs,
    });
    if (proven.length > 0) fills.settle(proven);
    else if (fills.proofs.oldestUnexplainedMs(row.pair) !== undefined)
      executor.requestTrades(row.pair);
  }

  #break(ledger: AccountLedger, wrong: string): false {
    this.#isBroken = true;
    const { desk } = this.#options.executor;
    desk.incident('LEDGER_BROKEN', `account ${ledger.accountId} (${ledger.currency}): ${wrong}`);
    desk.setTradingState('bot', 'HALTED', `the ledger of ${ledger.currency} broke its own rules`);
    return false;
  }
}
