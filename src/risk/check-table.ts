/**
 * The checks in their order. All of them run on every order, so a refusal lists every reason.
 *
 * The positions are those of the project's list of twenty-four. Cancels are not judged.
 */
import type { Check } from './check.ts';
import { checkEnvironment } from './checks/environment.ts';
import { checkForm } from './checks/form.ts';
import { checkFunds } from './checks/funds.ts';
import { checkHealth } from './checks/health.ts';
import { checkLossDay } from './checks/loss-day.ts';
import { checkMarketStatus } from './checks/market-status.ts';
import { checkNotional } from './checks/notional.ts';
import { checkOrderSize } from './checks/order-size.ts';
import { checkOrdersOpen } from './checks/orders-open.ts';
import { checkOrdersPerMinute } from './checks/orders-per-minute.ts';
import { checkPermission } from './checks/permission.ts';
import { checkPosition } from './checks/position.ts';
import { checkPriceCollar } from './checks/price-collar.ts';
import { checkReduceOnly } from './checks/reduce-only.ts';
import { checkTradingState } from './checks/trading-state.ts';

export type CheckEntry = {
  readonly position: number;
  /** Every code the check can give. */
  readonly codes: readonly string[];
  /** The limit it compares with: a key of the settings, or a fact. */
  readonly reads: string;
  readonly check: Check;
};

export const checkTable: readonly CheckEntry[] = [
  { position: 1, codes: ['TRADING_STATE'], reads: 'trading state', check: checkTradingState },
  {
    position: 2,
    codes: ['ENVIRONMENT'],
    reads: 'mode, address, flag and key',
    check: checkEnvironment,
  },
  {
    position: 4,
    codes: ['NOT_RECONCILED', 'STORE_NOT_DURABLE', 'LOCK_NOT_HELD', 'CLOCK_SKEW', 'UNKNOWN_ORDERS'],
    reads: 'health',
    check: checkHealth,
  },
  {
    position: 5,
    codes: ['NOT_PERMITTED'],
    reads: 'strategies.<id>.allow and pairs, accounts',
    check: checkPermission,
  },
  {
    position: 6,
    codes: ['FORM', 'PRICE_RANGE', 'VOLUME_RANGE'],
    reads: "the market's rules",
    check: checkForm,
  },
  { position: 7, codes: ['MARKET_STATUS'], reads: 'market status', check: checkMarketStatus },
  {
    position: 8,
    codes: ['ORDER_VOLUME', 'ORDER_VALUE'],
    reads: 'limits.pairs.<pair>.orderBaseMax, strategies.<id>.budget',
    check: checkOrderSize,
  },
  {
    position: 9,
    codes: ['BOOK_UNUSABLE', 'BOOK_STALE', 'TRADES_STALE', 'COLLAR_MID', 'COLLAR_TRADES'],
    reads: 'limits.pairs.<pair>.collar and bookAgeMax',
    check: checkPriceCollar,
  },
  { position: 14, codes: ['REDUCE_ONLY'], reads: 'trading state', check: checkReduceOnly },
  {
    position: 15,
    codes: ['POSITION', 'BUDGET'],
    reads: 'limits.pairs.<pair>.positionBaseMax, strategies.<id>.budget',
    check: checkPosition,
  },
  { position: 16, codes: ['FUNDS'], reads: "the account's balances", check: checkFunds },
  {
    position: 17,
    codes: ['OPEN_NOTIONAL', 'TURNOVER_DAY'],
    reads: 'limits.account.openNotionalMax and turnoverDayMax',
    check: checkNotional,
  },
  {
    position: 18,
    codes: ['ORDERS_OPEN'],
    reads: 'limits.account.ordersOpenMax',
    check: checkOrdersOpen,
  },
  {
    position: 19,
    codes: ['ORDERS_PER_MINUTE'],
    reads: 'limits.account.ordersPerMinuteMax',
    check: checkOrdersPerMinute,
  },
  { position: 22, codes: ['LOSS_DAY'], reads: 'limits.account.lossDayMax', check: checkLossDay },
];
