/**
 * Holds a bot's database against its exchange after the bot has ended: every order and every fill,
 * one by one. It shares nothing with the bot's own audit but the wire and the database.
 */
import { join } from 'node:path';
import { createTimers } from '../../src/runtime/timers.ts';
import { openStoreReports } from '../../src/store/sqlite-reports.ts';
import { startExchange } from '../../src/testing.ts';
import type {
  OrderRecord,
  UserTrade,
} from '../../src/venues/luno/api/operations/order-operations.ts';
import { type Client, createClient } from '../../src/venues/luno/client/client.ts';

export type Truth = {
  readonly ordersAtExchange: number;
  /** Of these, those that are not complete. */
  readonly openAtExchange: number;
  readonly fillsAtExchange: number;
  /** What does not agree, in words; empty when all is well. */
  readonly differences: readonly string[];
};

const finalStates: readonly string[] = ['filled', 'cancelled', 'rejected', 'absent', 'unsent'];

/** Compares the home of a demo bot that has ended. Nothing of that home may be running. */
export async function truthOf(home: string): Promise<Truth> {
  await using exchange = await startExchange({ home });
  const { id: keyId, secret: keySecret } = exchange.keys.bot;
  const client = createClient({
    baseUrl: exchange.baseUrl,
    credentials: { keyId, keySecret },
    timers: createTimers(),
  });
  try {
    return compare(home, await allOrders(client), await allTrades(client));
  } finally {
    await client.close();
  }
}

function compare(
  home: string,
  atExchange: readonly OrderRecord[],
  trades: readonly UserTrade[],
): Truth {
  const reports = openStoreReports(join(home, 'demo.sqlite'));
  const differences: string[] = [];
  try {
    const stored = new Map(reports.orders().map((row) => [row.clientOrderId, row]));
    const seen = new Set<string>();
    for (const order of atExchange) {
      const id = order.client_order_id;
      if (seen.has(id)) differences.push(`${id} is twice at the exchange`);
      seen.add(id);
      const row = stored.get(id);
      if (row === undefined) differences.push(`${id} is at the exchange and not in the database`);
      else if (row.orderId !== undefined && row.orderId !== order.order_id)
        differences.push(`${id} is ${order.order_id} at the exchange, here ${row.orderId}`);
      else if (order.status !== 'COMPLETE') differences.push(`${id} is still ${order.status}`);
    }
    for (const row of stored.values()) {
      // That an order was never taken is only concluded two minutes after it was sent.
      const isAwaited = row.state === 'unknown' && !seen.has(row.clientOrderId);
      if (!isAwaited && !finalStates.includes(row.state))
        differences.push(`${row.clientOrderId} is ${row.state} here`);
      if (row.orderId !== undefined && !seen.has(row.clientOrderId))
        differences.push(`${row.clientOrderId} is here and not at the exchange`);
    }
    const tell = (trade: {
      pair: string;
      sequence: string;
      orderId: string;
      price: string;
      volume: string;
    }): string =>
      `${trade.pair} ${trade.sequence} ${trade.orderId} ${plain(trade.price)} ${plain(trade.volume)}`;
    const theirs = trades.map((trade) => tell({ ...trade, orderId: trade.order_id })).sort();
    const ours = reports.fills().map(tell).sort();
    for (const one of ours.filter((fill) => !theirs.includes(fill)))
      differences.push(`fill ${one} is here and not at the exchange`);
    for (const one of theirs.filter((fill) => !ours.includes(fill)))
      differences.push(`fill ${one} is at the exchange and not here`);
    if (new Set(ours).size !== ours.length) differences.push('a fill is here twice');
    return {
      ordersAtExchange: atExchange.length,
      openAtExchange: atExchange.filter(({ status }) => status !== 'COMPLETE').length,
      fillsAtExchange: trades.length,
      differences,
    };
  } finally {
    reports.close();
  }
}

/** The digits of an amount without zeros at the end. */
function plain(amount: string): string {
  return amount.includes('.') ? amount.replace(/\.?0+$/u, '') : amount;
}

const pageSize = 1000;

async function allOrders(client: Client): Promise<readonly OrderRecord[]> {
  const { orders: open } = await client.listOrdersV2({ limit: pageSize });
  const closed = new Map<string, OrderRecord>();
  let before: number | undefined;
  for (;;) {
    const { orders } = await client.listOrdersV2({
      closed: true,
      limit: pageSize,
      ...(before === undefined ? {} : { created_before: before }),
    });
    const known = closed.size;
    for (const order of orders) closed.set(order.order_id, order);
    if (orders.length < pageSize || closed.size === known) return [...open, ...closed.values()];
    before = (orders.at(-1)?.creation_timestamp ?? 0) + 1;
  }
}

async function allTrades(client: Client): Promise<readonly UserTrade[]> {
  const all = new Map<string, UserTrade>();
  let from = '1';
  for (;;) {
    const { trades } = await client.listtrades({
      pair: 'XBTZAR',
      after_seq: from,
      limit: pageSize,
    });
    for (const trade of trades) all.set(`${trade.sequence} ${trade.order_id}`, trade);
    const last = trades.at(-1)?.sequence;
    if (trades.length < pageSize || last === undefined || last === from) return [...all.values()];
    from = last;
  }
}
