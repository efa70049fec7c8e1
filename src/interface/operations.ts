/** Every operation of the exchange, by name. */
import type { ParametersOf } from './operation.ts';
import { balance, transactions } from './operations/accounts.ts';
import { markets, orderBook, orderBookTop, ticker } from './operations/market-data.ts';
import {
  feeInfo,
  getOrderV3,
  listOrdersV2,
  listtrades,
  postorder,
  stoporder,
} from './operations/orders.ts';

export const operations = {
  markets,
  ticker,
  orderBookTop,
  orderBook,
  balance,
  transactions,
  feeInfo,
  postorder,
  stoporder,
  listOrdersV2,
  getOrderV3,
  listtrades,
} as const;

export type Operations = typeof operations;
export type OperationName = keyof Operations;

export type PostorderParameters = ParametersOf<Operations['postorder']>;
