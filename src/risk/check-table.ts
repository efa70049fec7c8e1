/**
 * The checks of the gate, in order. All of them run on every order, so a refusal lists every
 * reason. Two more controls outside the gate are listed with them. Cancels are not judged.
 */
import { declaredLimits } from '../domain/declared-limits.ts';
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

/** A check as declared here; the limits of the settings follow from its codes. */
type DeclaredCheck = Omit<CheckEntry, 'limits'> & {
  /** What else it compares with. */
  readonly facts?: readonly string[];
};

const checks: readonly DeclaredCheck[] = [
  {
    ...{ position: 1, name: 'trading state', check: checkTradingState },
    codes: ['TRADING_STATE'],
    facts: ['stored state of bot, strategy and pair'],
    source: 'RTS 6 article 12; FIA 1.11',
  },
  {
    ...{ position: 2, name: 'environment', check: checkEnvironment },
    codes: ['ENVIRONMENT'],
    facts: ['mode', 'address', '--live', 'live.keyFingerprint'],
    source: 'RTS 6 article 7: testing is separate from trading',
  },
  {
    ...{ position: 3, name: 'approved version', check: checkVersion },
    codes: ['VERSION'],
    facts: ['approved.settings', 'approved.strategies'],
    source: 'RTS 6 article 11; Knight Capital 2012: old code on one of eight servers',
  },
  {
    ...{ position: 4, name: 'health', check: checkHealth },
    codes: [
      ...['NOT_RECONCILED', 'STORE_NOT_DURABLE', 'LOCK_NOT_HELD', 'CLOCK_SKEW', 'LOOP_DELAY'],
      'UNKNOWN_ORDERS',
    ],
    facts: [
      ...['reconciled', 'durable store', 'lock', 'clock skew 2 s', 'loop delay 500 ms'],
      'orders with an unknown outcome: 5, on one pair 2',
    ],
    source: 'no order while the state of the bot may be wrong',
  },
  {
    ...{ position: 5, name: 'permission', check: checkPermission },
    codes: ['NOT_PERMITTED'],
    facts: ['strategies.<id>.allow', 'strategies.<id>.pairs', 'accounts'],
    source: 'SEC 15c3-5: restricted persons and products',
  },
  {
    ...{ position: 6, name: 'form', check: checkForm },
    codes: ['FORM', 'PRICE_RANGE', 'VOLUME_RANGE', 'STOP_PRICE', 'MARKET_PRICE'],
    facts: ["the market's scales and ranges", 'the last trade', 'limits.pairs.<pair>.collar'],
    source: "the exchange's own rules",
  },
  {
    ...{ position: 7, name: 'market status', check: checkMarketStatus },
    codes: ['MARKET_STATUS'],
    facts: ['status of the market'],
    source: "the exchange's own rules",
  },
  {
    ...{ position: 8, name: 'order size', check: checkOrderSize },
    codes: ['ORDER_VOLUME', 'ORDER_VALUE'],
    facts: ['strategies.<id>.budget'],
    source: 'SEC 15c3-5 (c)(1)(ii); RTS 6 article 15(1)(b)(c); Citi 2022: a basket of 444 billion',
  },
  {
    ...{ position: 9, name: 'price collar', check: checkPriceCollar },
    codes: [
      ...['BOOK_UNUSABLE', 'BOOK_STALE', 'TRADES_STALE', 'COLLAR_MID', 'COLLAR_TRADES'],
      'COLLAR_STOP',
    ],
    source: 'RTS 6 article 15(1)(a)',
  },
  {
    ...{ position: 10, name: 'price collar over five minutes', check: checkCollarBudget },
    codes: ['COLLAR_BUDGET'],
    source: 'RTS 6 article 15(1)(a): over a specified period',
  },
  {
    ...{ position: 11, name: 'depth', check: checkDepth },
    codes: ['SLIPPAGE', 'DEPTH_SHARE'],
    source: 'FIA: market impact',
  },
  {
    ...{ position: 12, name: 'duplicate', check: checkDuplicate },
    codes: ['DUPLICATE'],
    facts: ['each key is used once'],
    source: 'SEC 15c3-5: duplicative orders',
  },
  {
    ...{ position: 13, name: 'self-trade', check: checkSelfTrade },
    codes: ['SELF_TRADE'],
    facts: ["the bot's own orders that may be open"],
    source: 'FIA: self-match prevention',
  },
  {
    ...{ position: 14, name: 'reduce only', check: checkReduceOnly },
    codes: ['REDUCE_ONLY'],
    facts: ['stored state of bot, strategy and pair', "the order's reduceOnly"],
    source: 'a state that allows reversing a position does not reduce it',
  },
  {
    ...{ position: 15, name: 'position', check: checkPosition },
    codes: ['POSITION', 'BUDGET'],
    facts: ['strategies.<id>.budget'],
    source: 'FIA: maximum intraday position',
  },
  {
    ...{ position: 16, name: 'funds', check: checkFunds },
    codes: ['FUNDS'],
    facts: ["the account's balances", 'limits.account.feeBuffer'],
    source: 'SEC 15c3-5: capital',
  },
  {
    ...{ position: 17, name: 'notional and turnover', check: checkNotional },
    codes: ['OPEN_NOTIONAL', 'TURNOVER_DAY'],
    source: 'SEC 15c3-5: aggregate; Knight Capital 2012: no limit on the account that filled',
  },
  {
    ...{ position: 18, name: 'unexecuted orders', check: checkUnexecuted },
    codes: ['ORDERS_OPEN', 'UNEXECUTED'],
    source: 'UMIR 7.1; NI 23-103',
  },
  {
    ...{ position: 19, name: 'message rate', check: checkMessageRate },
    codes: [
      ...['ORDERS_PER_SECOND', 'ORDERS_PER_MINUTE', 'STRATEGY_PER_SECOND', 'STRATEGY_PER_MINUTE'],
      ...['CANCEL_SHARE', 'ORDERS_PER_FILL'],
    ],
    source: 'RTS 6 article 15(1)(d); the order-to-trade ratios of exchanges',
  },
  {
    ...{ position: 20, name: 'repeated fills', check: checkRepeatedFills },
    codes: ['REPEATED_FILLS'],
    source: 'RTS 6 article 15(3): repeated automated execution',
  },
  {
    ...{ position: 21, name: 'rejects', check: checkRejects },
    codes: ['REJECTIONS', 'REFUSALS'],
    source: 'another bot that tried 100,000 orders a day without the balance for one',
  },
  {
    ...{ position: 22, name: 'losses', check: checkLosses },
    codes: ['LOSS_DAY', 'DRAWDOWN', 'COOL_DOWN'],
    facts: ['orders that only reduce the position pass'],
    source: 'FIA: loss limits; stop-loss guards of other bots',
  },
  {
    ...{ position: 23, name: 'age', check: checkAge },
    codes: ['AGE'],
    source: "the time to live of the exchange's orders",
  },
  {
    ...{ position: 24, name: 'approval', check: checkApproval },
    codes: ['APPROVAL'],
    source: 'RTS 6 article 15(6); Citi 2022: 711 warnings in one box',
  },
];

export const checkTable: readonly CheckEntry[] = checks.map(({ facts = [], ...check }) => ({
  ...check,
  limits: [...pathsOf(check.codes), ...facts],
}));

/** Returns the settings keys of the limits that refuse with one of `codes`. */
function pathsOf(codes: readonly string[]): readonly string[] {
  return Object.values(declaredLimits)
    .flat()
    .filter(({ refusals = {} }) => codes.some((code) => Object.hasOwn(refusals, code)))
    .map(({ path }) => path);
}

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
