/** A status of the demo, with what a test of its view changes. */
import type { BotStatus, MarketState, OwnOrder } from '../../src/domain/bot-status.ts';

/** 2026-11-20, 14:20:33 UTC. */
export const sampleMs = Date.UTC(2026, 10, 20, 14, 20, 33);

export function sampleOrder(changes: Partial<OwnOrder> = {}): OwnOrder {
  return {
    ...{ intentId: 17, strategyId: 'mm-xbt', side: 'BID', price: '998204', volume: '0.010000' },
    ...{ remaining: '0.010000', state: 'open', isCancelling: false, createdMs: sampleMs - 9_000 },
    ...{ clientOrderId: 'b1-demo-h-1-2', orderId: 'BX2T95O6AW0KOY6', level: 'bid' },
    ...{ key: null, stop: null, expiresMs: null },
    ...{ aheadVolume: '0.052300', aheadOrders: 3 },
    ...changes,
  };
}

export function sampleMarket(changes: Partial<MarketState> = {}): MarketState {
  return {
    ...{ pair: 'XBTZAR', base: 'XBT', counter: 'ZAR', priceScale: 0, volumeScale: 6 },
    ...{ isUsable: true, unusableReason: null, bookAgeMs: 240, bid: '999633', ask: '1000776' },
    ...{ mid: '1000204.5', spreadBps: 11.43, bids: [], asks: [] },
    ownOrders: [
      sampleOrder(),
      sampleOrder({
        ...{ intentId: 18, side: 'ASK', price: '1002205', level: 'ask' },
        ...{ aheadVolume: '0', aheadOrders: 0 },
      }),
    ],
    lastTrade: { price: '1000776', side: 'BID', atMs: sampleMs - 2_000 },
    ...changes,
  };
}

export function sampleStatus(changes: Partial<BotStatus> = {}): BotStatus {
  return {
    ...{ bot: 'demo', mode: 'demo', ordersGoTo: 'simulator', pid: 4321, run: 3 },
    ...{ startedMs: sampleMs - 751_000, atMs: sampleMs, configHash: 'a1b2c3d4e5f60718' },
    ...{ state: 'ACTIVE', states: [], notTrading: [], stopping: null },
    ...{ isReconciled: true, areBooksUsable: true, waitingMs: 0 },
    markets: [sampleMarket()],
    parameters: [],
    strategies: [
      {
        ...{ strategyId: 'mm-xbt', plugin: 'simple-mm', pair: 'XBTZAR', base: 'XBT' },
        ...{ counter: 'ZAR', status: 'running', note: null, position: '-0.02', fills: 12 },
        ...{ profit: '12.3456789', fees: '60.1' },
        profitParts: {
          ...{ spread: '240.1', fees: '60.1', inventory: '-167.6543211', fillsWithoutMid: 0 },
        },
        presence: {
          ...{ sampledEveryMs: 1000, seconds: 751, bidQuoted: 0.99, askQuoted: 0.985 },
          ...{ bothQuoted: 0.981, bidAtTouch: 0.1, askAtTouch: 0.2 },
        },
      },
    ],
    series: [],
    feeds: [],
    limits: [
      limit('limits.account.ordersOpenMax', 'bot', ['2', '20', 'orders'], 0.1),
      limit('limits.pairs.XBTZAR.positionBaseMax', 'XBTZAR', ['0.18', '0.2', 'XBT'], 0.9),
      limit('limits.account.openNotionalMax.ZAR', 'bot', ['20004', '250000', 'ZAR'], 0.08),
      limit('limits.account.lossDayMax.ZAR', 'bot', ['-20', '100', 'ZAR'], -0.2),
      limit('limits.pairs.XBTZAR.orderBaseMax', 'XBTZAR', ['0', '0.02', 'XBT'], 0, true),
    ],
    calls: { perMinute: 278, forOrders: 214, waits: [] },
    orders: { live: 2, unknown: 0, accepted: 120, rejected: 1 },
    latency: { attempts: 120, p50Ms: 3.2, p95Ms: 8.1, p99Ms: 19.9 },
    refusals: [],
    balances: [],
    fills: [12, 11, 9, 7, 5, 4, 3, 2].map((intentId, index) => ({
      ...{ strategyId: 'mm-xbt', pair: 'XBTZAR', price: '1002205', volume: '0.010000' },
      ...{ side: index % 2 === 0 ? 'ASK' : 'BID', fee: '5.011025', feeCurrency: 'ZAR' },
      ...{ isMaker: true, intentId, tradedMs: sampleMs - 1_000 * (index + 1) },
    })),
    notices: [],
    ...changes,
  };
}

function limit(
  key: string,
  scope: string,
  [used = '', max = '', unit = '']: readonly string[],
  share: number,
  isPerOrder = false,
) {
  return { key, scope, used, max, unit, share, isPerOrder };
}
