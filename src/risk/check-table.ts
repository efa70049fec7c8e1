/**
 * The checks of the gate, in order. All of them run on every order, so a refusal lists every
 * reason. Two more controls outside the gate are listed with them. Cancels are not judged.
 */
import type { Check } from './check.ts';
import { checkAge } from './checks/age-check.ts';
import { checkApproval } from './checks/approval-check.ts';
import { checkCollarBudget } from './checks/collar-budget-check.ts';
import { checkDepth } from './checks/depth-check.ts';
import { checkDuplicate } from './checks/duplicate-check.ts';
import { checkEnvironment } from './checks/environment-check.ts';
import { checkForm } from './checks/form-check.ts';
import { checkFunds } from './checks/funds-check.ts';
import { checkHealth } from './checks/health-check.ts';
import { checkLosses } from './checks/losses-check.ts';
import { checkMarketStatus } from './checks/market-status-check.ts';
import { checkMessageRate } from './checks/message-rate-check.ts';
import { checkNotional } from './checks/notional-check.ts';
import { checkOrderSize } from './checks/order-size-check.ts';
import { checkPermission } from './checks/permission-check.ts';
import { checkPosition } from './checks/position-check.ts';
import { checkPriceCollar } from './checks/price-collar-check.ts';
import { checkReduceOnly } from './checks/reduce-only-check.ts';
import { checkRejects } from './checks/rejects-check.ts';
import { checkRepeatedFills } from './checks/repeated-fills-check.ts';
import { checkSelfTrade } from './checks/self-trade-check.ts';
import { checkTradingState } from './checks/trading-state-check.ts';
import { checkUnexecuted } from './checks/unexecuted-check.ts';
import { checkVersion } from './checks/version-check.ts';

/** A control, as listed by `millrace checks`. */
export type ListedCheck = {
  readonly position: number;
  readonly name: string;
  /** Every refusal code of the control. */
  readonly codes: readonly string[];
  /** What it compares with: settings keys, or facts. */
  readonly limits: readonly string[];
  /** The regulation or incident behind it. */
  readonly source: string;
};

export type CheckEntry = ListedCheck & { readonly check: Check };

export const checkTable: readonly CheckEntry[] = [
  {
    position: 1,
    name: 'trading state',
    codes: ['TRADING_STATE'],
    limits: ['stored state of bot, strategy and pair'],
    source: 'RTS 6 article 12; FIA 1.11',
    check: checkTradingState,
  },
  {
    position: 2,
    name: 'environment',
    codes: ['ENVIRONMENT'],
    limits: ['mode', 'address', '--live', 'live.keyFingerprint'],
    source: 'RTS 6 article 7: testing is separate from trading',
    check: checkEnvironment,
  },
  {
    position: 3,
    name: 'approved version',
    codes: ['VERSION'],
    limits: ['approved.settings', 'approved.strategies'],
    source: 'RTS 6 article 11; Knight Capital 2012: old code on one of eight servers',
    check: checkVersion,
  },
  {
    position: 4,
    name: 'health',
    codes: [
      ...['NOT_RECONCILED', 'STORE_NOT_DURABLE', 'LOCK_NOT_HELD', 'CLOCK_SKEW', 'LOOP_DELAY'],
      'UNKNOWN_ORDERS',
    ],
    limits: [
      ...['reconciled', 'durable store', 'lock', 'clock skew 2 s', 'loop delay 500 ms'],
      'orders with an unknown outcome: 5, on one pair 2',
    ],
    source: 'no order while the state of the bot may be wrong',
    check: checkHealth,
  },
  {
    position: 5,
    name: 'permission',
    codes: ['NOT_PERMITTED'],
    limits: ['strategies.<id>.allow', 'strategies.<id>.pairs', 'accounts'],
    source: 'SEC 15c3-5: restricted persons and products',
    check: checkPermission,
  },
  {
    position: 6,
    name: 'form',
    codes: ['FORM', 'PRICE_RANGE', 'VOLUME_RANGE'],
    limits: ["the market's scales and ranges"],
    source: "the exchange's own rules",
    check: checkForm,
  },
  {
    position: 7,
    name: 'market status',
    codes: ['MARKET_STATUS'],
    limits: ['status of the market'],
    source: "the exchange's own rules",
    check: checkMarketStatus,
  },
  {
    position: 8,
    name: 'order size',
    codes: ['ORDER_VOLUME', 'ORDER_VALUE'],
    limits: ['limits.pairs.<pair>.orderBaseMax', 'strategies.<id>.budget'],
    source: 'SEC 15c3-5 (c)(1)(ii); RTS 6 article 15(1)(b)(c); Citi 2022: a basket of 444 billion',
    check: checkOrderSize,
  },
  {
    position: 9,
    name: 'price collar',
    codes: ['BOOK_UNUSABLE', 'BOOK_STALE', 'TRADES_STALE', 'COLLAR_MID', 'COLLAR_TRADES'],
    limits: ['limits.pairs.<pair>.collar', 'limits.pairs.<pair>.bookAgeMax'],
    source: 'RTS 6 article 15(1)(a)',
    check: checkPriceCollar,
  },
  {
    position: 10,
    name: 'price collar over five minutes',
    codes: ['COLLAR_BUDGET'],
    limits: ['limits.account.collarBudgetMax'],
    source: 'RTS 6 article 15(1)(a): over a specified period',
    check: checkCollarBudget,
  },
  {
    position: 11,
    name: 'depth',
    codes: ['SLIPPAGE', 'DEPTH_SHARE'],
    limits: ['limits.pairs.<pair>.slippageMax', 'limits.pairs.<pair>.depthShareMax'],
    source: 'FIA: market impact',
    check: checkDepth,
  },
  {
    position: 12,
    name: 'duplicate',
    codes: ['DUPLICATE'],
    limits: ['limits.eachStrategy.identical', 'each key is used once'],
    source: 'SEC 15c3-5: duplicative orders',
    check: checkDuplicate,
  },
  {
    position: 13,
    name: 'self-trade',
    codes: ['SELF_TRADE'],
    limits: ["the bot's own orders that may be open"],
    source: 'FIA: self-match prevention',
    check: checkSelfTrade,
  },
  {
    position: 14,
    name: 'reduce only',
    codes: ['REDUCE_ONLY'],
    limits: ['stored state of bot, strategy and pair', "the order's reduceOnly"],
    source: 'a state that allows reversing a position does not reduce it',
    check: checkReduceOnly,
  },
  {
    position: 15,
    name: 'position',
    codes: ['POSITION', 'BUDGET'],
    limits: ['limits.pairs.<pair>.positionBaseMax', 'strategies.<id>.budget'],
    source: 'FIA: maximum intraday position',
    check: checkPosition,
  },
  {
    position: 16,
    name: 'funds',
    codes: ['FUNDS'],
    limits: ["the account's balances", 'limits.account.feeBuffer'],
    source: 'SEC 15c3-5: capital',
    check: checkFunds,
  },
  {
    position: 17,
    name: 'notional and turnover',
    codes: ['OPEN_NOTIONAL', 'TURNOVER_DAY'],
    limits: ['limits.account.openNotionalMax', 'limits.account.turnoverDayMax'],
    source: 'SEC 15c3-5: aggregate; Knight Capital 2012: no limit on the account that filled',
    check: checkNotional,
  },
  {
    position: 18,
    name: 'unexecuted orders',
    codes: ['ORDERS_OPEN', 'UNEXECUTED'],
    limits: ['limits.account.ordersOpenMax', 'limits.eachStrategy.openNotionalMax'],
    source: 'UMIR 7.1; NI 23-103',
    check: checkUnexecuted,
  },
  {
    position: 19,
    name: 'message rate',
    codes: [
      ...['ORDERS_PER_SECOND', 'ORDERS_PER_MINUTE', 'STRATEGY_PER_SECOND', 'STRATEGY_PER_MINUTE'],
      ...['CANCEL_SHARE', 'ORDERS_PER_FILL'],
    ],
    limits: [
      ...['limits.account.ordersPerSecondMax', 'limits.account.ordersPerMinuteMax'],
      ...['limits.eachStrategy.ordersPerSecondMax', 'limits.eachStrategy.ordersPerMinuteMax'],
      ...['limits.eachStrategy.cancelShareMax', 'limits.eachStrategy.ordersPerFillMax'],
    ],
    source: 'RTS 6 article 15(1)(d); the order-to-trade ratios of exchanges',
    check: checkMessageRate,
  },
  {
    position: 20,
    name: 'repeated fills',
    codes: ['REPEATED_FILLS'],
    limits: ['limits.eachStrategy.fills'],
    source: 'RTS 6 article 15(3): repeated automated execution',
    check: checkRepeatedFills,
  },
  {
    position: 21,
    name: 'rejects',
    codes: ['REJECTIONS', 'REFUSALS'],
    limits: ['limits.eachStrategy.rejections', 'limits.eachStrategy.refusals'],
    source: 'another bot that tried 100,000 orders a day without the balance for one',
    check: checkRejects,
  },
  {
    position: 22,
    name: 'losses',
    codes: ['LOSS_DAY', 'DRAWDOWN', 'COOL_DOWN'],
    limits: [
      ...['limits.account.lossDayMax', 'limits.account.drawdownMax'],
      'limits.eachStrategy.losingTrades',
      'orders that only reduce the position pass',
    ],
    source: 'FIA: loss limits; stop-loss guards of other bots',
    check: checkLosses,
  },
  {
    position: 23,
    name: 'age',
    codes: ['AGE'],
    limits: ['limits.account.intentAgeMax'],
    source: "the time to live of the exchange's orders",
    check: checkAge,
  },
  {
    position: 24,
    name: 'approval',
    codes: ['APPROVAL'],
    limits: ['limits.account.approveAbove'],
    source: 'RTS 6 article 15(6); Citi 2022: 711 warnings in one box',
    check: checkApproval,
  },
];

/** Controls outside the gate: what is stored with an order, and which requests may leave. */
export const outerControls: readonly ListedCheck[] = [
  {
    position: 25,
    name: 'one commit',
    codes: ['MR_STORE'],
    limits: ['hold, decision and intent are stored in one commit before the order leaves'],
    source: 'RTS 6 article 15(2): every order sent counts immediately',
  },
  {
    position: 26,
    name: 'egress guard',
    codes: ['MR_NOT_SENT'],
    limits: ['operations allowed for the connection', 'the approved intent', 'egress caps'],
    source: 'Knight Capital 2012: nothing compared the orders sent with those intended',
  },
];
