/** Every operation of the exchange, by name. */
import type { ParametersOf } from './operation.ts';
import {
  balance,
  createAccount,
  listPending,
  renameAccount,
  transactions,
} from './operations/accounts.ts';
import {
  createReceiveAddress,
  getReceiveAddress,
  validateAddress,
} from './operations/addresses.ts';
import {
  createBeneficiary,
  deleteBeneficiary,
  listBeneficiaries,
} from './operations/beneficiaries.ts';
import { candles } from './operations/candles.ts';
import { convert } from './operations/convert.ts';
import { grant } from './operations/grant.ts';
import {
  markets,
  orderBook,
  orderBookTop,
  ticker,
  tickers,
  trades,
} from './operations/market-data.ts';
import { marketorder } from './operations/market-order.ts';
import { createMove, getMove, listMoves } from './operations/moves.ts';
import { getOrder, getOrderV2, listOrders } from './operations/order-records.ts';
import {
  feeInfo,
  getOrderV3,
  listOrdersV2,
  listtrades,
  postorder,
  stoporder,
} from './operations/orders.ts';
import { createQuote, discardQuote, exerciseQuote, getQuote } from './operations/quotes.ts';
import { send, sendFee, sendNetworks } from './operations/sends.ts';
import { listTransfers } from './operations/transfers.ts';
import { linkedUsers } from './operations/users.ts';
import {
  cancelWithdrawal,
  createWithdrawal,
  getWithdrawal,
  listWithdrawals,
} from './operations/withdrawals.ts';
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
