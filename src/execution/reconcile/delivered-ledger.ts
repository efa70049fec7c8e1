/**
 * Keeps the balances for the gate, and proves fills, from the ledger rows that an exchange in the
 * same process delivers with its messages.
 *
 * A bot at a real exchange reads its ledgers every few seconds while it trades. Here no ledger is
 * read, but what was delivered counts at the times at which those reads would have ended. Rows that
 * only reserve for orders are not needed: they are of our own orders, whose holds the gate counts.
 *
 * Invariant: each balance is the one before plus the row's change; a violation halts the bot.
 */
import { type Amount, amountOf, formatAmount } from '../../domain/amount.ts';
import type { Market } from '../../domain/market.ts';
import { type DeliveredRow, rowsIn, tradeIn } from '../../venues/luno/api/delivered-facts.ts';
import type { OrderFillUpdate } from '../../venues/luno/api/user-messages.ts';
import type { FillBook } from '../fills/fill-book.ts';
import type { DeliveredReads } from '../requests/delivered-reads.ts';
import { Demand } from '../requests/demand.ts';
import type { ExecutionContext } from '../requests/execution-context.ts';
import { call, describeReply, type Procedure, wait } from '../requests/procedure.ts';
import { ShortQueue } from '../requests/short-queue.ts';
import { busyMs, spacingMs } from './ledger-sync.ts';

export type DeliveredLedgerOptions = {
  readonly context: ExecutionContext;
  readonly fills: FillBook;
  readonly markets: ReadonlyMap<string, Market>;
  /** Account id by currency. */
  readonly accounts: Readonly<Record<string, string>>;
  /** Counts no calls in the budget: `skipped-reads.ts` does. */
  readonly reads: DeliveredReads;
  /** Whether few calls were sent within the last minute. */
  readonly hasRoom: () => boolean;
};

type Account = { readonly currency: string; balance: Amount };

export class DeliveredLedger {
  readonly #options: DeliveredLedgerOptions;
  /** By account id. */
  readonly #accounts = new Map<string, Account>();
  readonly #demand = new Demand();
  readonly #delivered = new ShortQueue<OrderFillUpdate>();

  constructor(options: DeliveredLedgerOptions) {
    this.#options = options;
    for (const [currency, id] of Object.entries(options.accounts))
      this.#accounts.set(id, { currency, balance: 0n });
  }

  /** Does nothing: what there is to know is delivered. */
  request(): void {}

  /** Does nothing: a run at such an exchange restores nothing. */
  explain(): void {}

  /** Does nothing: rows are delivered with the fills that cause them. */
  noteBalance(): void {}

  /** Takes the ledger rows of a fill, which count at the end of the next pass. */
  noteFill(update: OrderFillUpdate): void {
    if (rowsIn(update).length === 0) return;
    this.#delivered.push(update);
    this.#demand.ask();
  }

  /** Runs forever; it waits without a wake-up while no balance changes. */
  *run(): Procedure {
    const { context, reads, hasRoom } = this.#options;
    yield* this.#readBalances();
    const firstMicros = reads.nowMicros;
    const periodMicros = spacingMs * 1000;
    for (;;) {
      // The gate counts what a fill has spent until a balance is known that was read after it.
      if (!context.exposure.funds.hasSpends && !this.#demand.isPending) yield this.#demand.awaited;
      const passes = Math.floor((reads.nowMicros - firstMicros) / periodMicros) + 1;
      yield reads.answers(firstMicros + passes * periodMicros, this.#accounts.size);
      this.#demand.clear();
      this.#pass();
      if (!hasRoom()) yield* wait(busyMs);
    }
  }

  /** Reads what the accounts have at the beginning of the run. */
  *#readBalances(): Procedure {
    const { context, reads } = this.#options;
    // One call shows all of them, but a bot knows them when it has read each account's ledger.
    yield reads.answers(reads.nowMicros, this.#accounts.size - 1);
    const mark = context.exposure.funds.mark();
    const reply = yield* call({ priority: 'read', operation: 'balance', parameters: () => ({}) });
    if (reply.kind !== 'ok') {
      this.#halt(`the balances cannot be read: ${describeReply(reply)}`);
      return;
    }
    for (const { account_id: id, balance: text } of reply.body.balance) {
      const account = this.#accounts.get(id);
      if (account === undefined) continue;
      const balance = amountOf(text);
      account.balance = balance;
      context.exposure.funds.setBalance(account.currency, { balance, available: balance, mark });
    }
  }

  /** Takes the delivered rows, and tells the gate the balances. */
  #pass(): void {
    const { exposure } = this.#options.context;
    const mark = exposure.funds.mark();
    for (
      let update = this.#delivered.shift();
      update !== undefined;
      update = this.#delivered.shift()
    )
      this.#takeRows(update);
    for (const { currency, balance } of this.#accounts.values())
      exposure.funds.setBalance(currency, { balance, available: balance, mark });
  }

  #takeRows(update: OrderFillUpdate): void {
    const { fills, markets } = this.#options;
    const market = markets.get(update.market_id);
    const trade = tradeIn(update);
    const sequence = String(trade?.sequence);
    for (const row of rowsIn(update)) {
      const account = this.#accounts.get(row.accountId);
      if (account === undefined) continue;
      this.#addTo(account, row);
      if (trade === undefined || market === undefined) continue;
      const proven = fills.proofs.addRow({
        pair: market.pair,
        sequence,
        isBase: account.currency === market.base,
        delta: row.balanceDelta,
        tradedMs: trade.timeMs,
        nowMs: this.#options.context.nowMs,
      });
      fills.settle(proven);
    }
  }

  #addTo(account: Account, { balance, balanceDelta }: DeliveredRow): void {
    if (account.balance + balanceDelta !== balance) {
      const before = formatAmount(account.balance);
      const change = formatAmount(balanceDelta);
      this.#halt(
        `${account.currency}: ${before} and a change of ${change} is not ${formatAmount(balance)}`,
      );
    }
    account.balance = balance;
  }

  #halt(wrong: string): void {
    const { context } = this.#options;
    context.incident('LEDGER_BROKEN', wrong);
    context.setTradingState('bot', 'HALTED', 'the ledger is inconsistent');
  }
}
