/** Every operation of the exchange, by name. */
import type { ParametersOf } from './operation.ts';
import {
  balance,
  createAccount,
  listPending,
  renameAccount,
  transactions,
} from './operations/account-operations.ts';
import {
  createReceiveAddress,
  getReceiveAddress,
  validateAddress,
} from './operations/address-operations.ts';
import {
  createBeneficiary,
  deleteBeneficiary,
  listBeneficiaries,
} from './operations/beneficiary-operations.ts';
import { candles } from './operations/candle-operations.ts';
import { convert } from './operations/conversion-operations.ts';
import { grant } from './operations/grant-operations.ts';
import {
  markets,
  orderBook,
  orderBookTop,
  ticker,
  tickers,
  trades,
} from './operations/market-data-operations.ts';
import { marketorder } from './operations/market-order-operations.ts';
import { createMove, getMove, listMoves } from './operations/move-operations.ts';
import {
  feeInfo,
  getOrderV3,
  listOrdersV2,
  listtrades,
  postorder,
  stoporder,
} from './operations/order-operations.ts';
import { getOrder, getOrderV2, listOrders } from './operations/order-record-operations.ts';
import {
  createQuote,
  discardQuote,
  exerciseQuote,
  getQuote,
} from './operations/quote-operations.ts';
import { send, sendFee, sendNetworks } from './operations/send-operations.ts';
import { listTransfers } from './operations/transfer-operations.ts';
import { linkedUsers } from './operations/user-operations.ts';
import {
  cancelWithdrawal,
  createWithdrawal,
  getWithdrawal,
  listWithdrawals,
} from './operations/withdrawal-operations.ts';
import { walletOperations } from './wallet/wallet-operations.ts';

export const operations = {
  markets,
  ticker,
  orderBookTop,
  orderBook,
  tickers,
  trades,
  candles,
  createAccount,
  renameAccount,
  balance,
  transactions,
  listPending,
  convert,
  getMove,
  createMove,
  listMoves,
  listBeneficiaries,
  createBeneficiary,
  deleteBeneficiary,
  getReceiveAddress,
  createReceiveAddress,
  validateAddress,
  send,
  sendFee,
  sendNetworks,
  listTransfers,
  linkedUsers,
  listWithdrawals,
  createWithdrawal,
  getWithdrawal,
  cancelWithdrawal,
  grant,
  feeInfo,
  postorder,
  stoporder,
  listOrdersV2,
  getOrderV3,
  listtrades,
  marketorder,
  listOrders,
  getOrder,
  getOrderV2,
  createQuote,
  getQuote,
  exerciseQuote,
  discardQuote,
  ...walletOperations,
} as const;

export type Operations = typeof operations;
export type OperationName = keyof Operations;

export type PostorderParameters = ParametersOf<Operations['postorder']>;
export type MarketorderParameters = ParametersOf<Operations['marketorder']>;
