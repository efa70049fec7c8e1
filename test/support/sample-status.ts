/** A status with something in every part, for the tests of the page's server. */
import type { BotStatus } from '../../src/domain/bot-status.ts';

const script = '</script><script>alert(1)</script>';

export const sampleStatus: BotStatus = {
  bot: 'desk',
  mode: 'demo',
  ordersGoTo: 'simulator',
  pid: 1,
  run: 2,
  startedMs: 1_000,
  atMs: 2_000,
  configHash: 'c0',
  state: 'HALTED',
  states: [{ scope: 'bot', state: 'HALTED', reason: script, sinceMs: 1_500 }],
  notTrading: [
    {
      ...{ strategyId: 'mm', pair: 'XBTZAR', kind: 'halted', sinceMs: 1_500, reason: script },
      ends: 'when a person resumes',
      remedy: { command: 'resume', scope: 'bot' },
    },
  ],
  stopping: null,
  isReconciled: true,
  areBooksUsable: true,
  waitingMs: 0,
  markets: [
    {
      ...{ pair: 'XBTZAR', base: 'XBT', counter: 'ZAR', priceScale: 0, volumeScale: 6 },
      ...{ isUsable: true, unusableReason: null, bookAgeMs: 12, bid: '999000', ask: '1001000' },
      ...{ mid: '1000000', spreadBps: 20 },
      bids: [{ price: '999000', volume: '0.5', own: '0.01' }],
      asks: [{ price: '1001000', volume: '0.5', own: '0' }],
      ownOrders: [
        {
          ...{ intentId: 3, strategyId: 'mm', side: 'BID', price: '999000', volume: '0.01' },
          ...{ remaining: '0.01', state: 'open', isCancelling: false, createdMs: 1_800 },
          ...{ clientOrderId: 'test-3', orderId: 'BX3', aheadVolume: '0.2', aheadOrders: 2 },
          ...{ level: null, key: 'entry', expiresMs: null, stop: null },
        },
      ],
      lastTrade: { price: '1000000', side: 'ASK', atMs: 1_900 },
    },
  ],
  strategies: [
    {
      ...{ strategyId: 'mm', plugin: 'simple-mm', pair: 'XBTZAR', base: 'XBT', counter: 'ZAR' },
      ...{ status: 'running', note: null, position: '0.001', profit: '12.5', fees: '0.5' },
      fills: 2,
      profitParts: { spread: '2', fees: '0.5', inventory: '11', fillsWithoutMid: 0 },
      presence: {
        ...{ sampledEveryMs: 1_000, seconds: 60, bidQuoted: 1, askQuoted: 0.5, bothQuoted: 0.5 },
        ...{ bidAtTouch: 0.25, askAtTouch: 0 },
      },
    },
  ],
  parameters: [
    {
      strategyId: 'mm',
      parameters: [
        {
          ...{ name: 'halfSpread', value: '30bps', description: script, unit: null },
          ...{ range: 'from 1bps to 5%', mayChange: true },
          changed: { was: '20bps', atMs: 1_700, by: 'page ana', reason: script },
        },
      ],
    },
  ],
  series: [],
  feeds: [],
  limits: [
    {
      ...{ key: 'limits.account.openNotionalMax.ZAR', scope: 'bot', used: '9990', max: '250000' },
      ...{ unit: 'ZAR', share: 0.04, isPerOrder: false },
    },
  ],
  calls: {
    ...{ perMinute: 240, forOrders: 180 },
    waits: [
      {
        ...{ strategy: 'mm', pair: 'XBTZAR', side: 'ASK', price: '1001000', volume: '0.01' },
        ...{ reason: 'call limit', waitedMs: 20, leavesInMs: 80, clientOrderId: 'test-4' },
        ...{ restsAt: null, text: script },
      },
    ],
  },
  orders: { live: 1, unknown: 0, accepted: 3, rejected: 0 },
  latency: { attempts: 3, p50Ms: 2, p95Ms: 4, p99Ms: 4 },
  refusals: [
    { strategyId: 'mm', code: 'BOOK_TOO_OLD', by: 'gate', count: 1, lastMs: 1_700, text: script },
  ],
  balances: [{ currency: 'ZAR', balance: '1000', available: '900' }],
  fills: [
    {
      ...{ strategyId: 'mm', pair: 'XBTZAR', side: 'BID', price: '1000000', volume: '0.001' },
      ...{ fee: '0.000001', feeCurrency: 'XBT', isMaker: true, intentId: 1, tradedMs: 1_600 },
    },
  ],
  notices: [{ level: 'warn', topic: 'state', text: script, atMs: 1_650 }],
};
