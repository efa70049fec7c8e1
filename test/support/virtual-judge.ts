/**
 * Judges a simulated run when it is over: the bot's store against the exchange's own books.
 *
 * Invariants by their names: I1 one order per intent, I3 fills are the trades, I4 sums, I5 ledgers,
 * I6 positions, I7 no order left behind, I8 nothing stuck.
 */
import { formatAmount } from '../../src/domain/amount.ts';
import { Decimal } from '../../src/domain/money.ts';
import type { FillRow, OrderRow } from '../../src/domain/records.ts';
import { baseOf, counterOf, type Positions } from '../../src/execution/fills/positions.ts';
import type { StoreReports } from '../../src/store/store-reports.ts';
import type { Truth } from '../../src/venues/luno/simulator/world/truth.ts';
import type { Witness } from './virtual-witness.ts';

const finals = ['filled', 'cancelled', 'rejected', 'absent', 'unsent'];
const neverAtExchange = ['rejected', 'absent', 'unsent'];

/** Says every violation to `witness`; `positions` are those that the strategies are shown. */
export function judge(
  truth: Truth,
  reports: StoreReports,
  positions: Positions | undefined,
  witness: Witness,
): void {
  const rows = reports.orders();
  const byClientOrderId = new Map(rows.map((row) => [row.clientOrderId, row]));
  judgeOrders(truth, byClientOrderId, witness);
  judgeFills(truth.trades, reports.fills(), witness);
  judgeSums(truth, reports, rows, witness);
  judgeLedger(truth, reports, witness);
  if (positions !== undefined) judgePositions(truth, positions, witness);
}

function judgePositions(truth: Truth, positions: Positions, witness: Witness): void {
  let base = new Decimal(0);
  let counter = new Decimal(0);
  for (const order of truth.orders) {
    const sign = order.side === 'BUY' ? 1 : -1;
    base = base.plus(new Decimal(order.base).times(sign)).minus(order.fee_base);
    counter = counter.minus(new Decimal(order.counter).times(sign)).minus(order.fee_counter);
  }
  for (const { holding } of positions.entries()) {
    base = base.minus(formatAmount(baseOf(holding)));
    counter = counter.minus(formatAmount(counterOf(holding)));
  }
  if (!base.isZero() || !counter.isZero())
    witness.say(`I6 the positions that strategies see are wrong by ${base} and ${counter}`);
}

function judgeOrders(truth: Truth, rows: ReadonlyMap<string, OrderRow>, witness: Witness): void {
  const seen = new Set<string>();
  for (const order of truth.orders) {
    const id = order.client_order_id;
    if (seen.has(id)) witness.say(`I1 ${id} is at the exchange twice`);
    seen.add(id);
    const row = rows.get(id);
    if (row === undefined) {
      witness.say(`I2 ${id} is at the exchange and not in the store`);
      continue;
    }
    if (order.status === 'PENDING') witness.say(`I7 ${id} is still open, we say ${row.state}`);
    if (neverAtExchange.includes(row.state))
      witness.say(`I1 ${id} is at the exchange, we say ${row.state}`);
    if (row.orderId !== undefined && row.orderId !== order.order_id)
      witness.say(`I1 ${id} is ${order.order_id}, we say ${row.orderId}`);
  }
  for (const row of rows.values()) {
    if (!finals.includes(row.state))
      witness.say(`I8 ${row.clientOrderId} is stuck in ${row.state}`);
    if (!neverAtExchange.includes(row.state) && !seen.has(row.clientOrderId))
      witness.say(`I1 ${row.clientOrderId} is ${row.state}, the exchange never had it`);
  }
}

/** Holds fills against trades of the same time. */
export function judgeFills(
  trades: Truth['trades'],
  fills: readonly FillRow[],
  witness: Pick<Witness, 'say'>,
): void {
  const told = fills.map((fill) => ({
    key: `${fill.sequence} ${fill.orderId}`,
    text: [
      fill.side,
      fill.price,
      fill.volume,
      new Decimal(fill.feeBase).toFixed(),
      new Decimal(fill.feeCounter).toFixed(),
      fill.maker,
    ].join(' '),
  }));
  const scaled = (units: bigint): string => new Decimal(units.toString()).div('1e18').toFixed();
  const real = trades.map((trade) => ({
    key: `${trade.sequence} ${trade.orderId}`,
    text: [
      trade.side,
      String(trade.price),
      new Decimal(trade.volume).div(1e6).toFixed(6),
      scaled(trade.feeBase),
      scaled(trade.feeCounter),
      trade.takerSide !== trade.side,
    ].join(' '),
  }));
  const ours = new Map(told.map((fill) => [fill.key, fill.text]));
  if (ours.size !== told.length) witness.say('I3 a fill is stored twice');
  for (const { key, text } of real) {
    const own = ours.get(key);
    if (own === undefined) witness.say(`I3 trade ${key} is missing`);
    else if (own !== text) witness.say(`I3 trade ${key} is "${text}", we say "${own}"`);
    ours.delete(key);
  }
  for (const key of ours.keys()) witness.say(`I3 fill ${key} never happened`);
}

function judgeSums(
  truth: Truth,
  reports: StoreReports,
  rows: readonly OrderRow[],
  witness: Witness,
): void {
  const sums = new Map<string, Decimal[]>();
  for (const fill of reports.fills()) {
    const amounts = [fill.base, fill.counter, fill.feeBase, fill.feeCounter];
    const before = sums.get(fill.orderId);
    sums.set(
      fill.orderId,
      amounts.map((amount, i) => new Decimal(amount).plus(before?.[i] ?? 0)),
    );
  }
  const records = new Map(truth.orders.map((order) => [order.client_order_id, order]));
  for (const row of rows) {
    const record = records.get(row.clientOrderId);
    if (record === undefined) continue;
    const own = sums.get(record.order_id);
    const told = [record.base, record.counter, record.fee_base, record.fee_counter];
    if (told.some((amount, i) => !new Decimal(amount).eq(own?.[i] ?? 0)))
      witness.say(`I4 ${row.clientOrderId}: fills ${String(own)}, record ${told.join()}`);
    const kept = [row.base, row.counter, row.feeBase, row.feeCounter];
    if (told.some((amount, i) => !new Decimal(amount).eq(kept[i] ?? 0)))
      witness.say(`I4 ${row.clientOrderId}: kept ${kept.join()}, record ${told.join()}`);
    const isWhole = new Decimal(record.base).eq(row.volume);
    if ((row.state === 'filled') !== isWhole)
      witness.say(`I4 ${row.clientOrderId} is ${row.state} with ${record.base} of ${row.volume}`);
  }
}

/** Holds the balances against our ledger, and against what our fills and other flows add up to. */
export function judgeLedger(
  truth: Truth,
  reports: StoreReports,
  witness: Pick<Witness, 'say'>,
): void {
  const latest = new Map(reports.ledgerLatest().map((row) => [row.accountId, row]));
  const traded = new Map<string, Decimal>();
  const add = (currency: string, amount: Decimal): void => {
    traded.set(currency, (traded.get(currency) ?? new Decimal(0)).plus(amount));
  };
  for (const total of reports.fillTotals()) {
    const sign = total.side === 'BID' ? 1 : -1;
    add('XBT', new Decimal(total.base).times(sign).minus(total.feeBase));
    add('ZAR', new Decimal(total.counter).times(-sign).minus(total.feeCounter));
  }
  for (const account of truth.accounts) {
    const own = latest.get(account.id);
    if (own === undefined || !new Decimal(own.balance).eq(account.balance))
      witness.say(`I5 ${account.currency} is ${account.balance}, our ledger says ${own?.balance}`);
    const flows = reports.otherFlows().find((flow) => flow.accountId === account.id)?.sum ?? '0';
    const expected = new Decimal(flows).plus(traded.get(account.currency) ?? 0);
    if (!expected.eq(account.balance))
      witness.say(`I6 ${account.currency} is ${account.balance}, fills add up to ${expected}`);
  }
}
