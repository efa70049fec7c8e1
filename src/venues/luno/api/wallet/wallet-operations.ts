/** Every operation of the wallet document, by name. */

import {
  createWallet,
  createWalletTransfer,
  getWallet,
  listWallets,
  listWalletTransfers,
  updateWallet,
} from './operations/account-wallet-operations.ts';
import {
  createCryptoReceiveAddress,
  createCryptoSend,
  estimateCryptoSend,
  listCryptoNetworks,
  listCryptoReceiveAddresses,
  listCryptoReceives,
  listCryptoSends,
} from './operations/crypto-operations.ts';
import {
  createFiatBeneficiary,
  createFiatWithdrawal,
  listFiatBeneficiaries,
  listFiatDeposits,
} from './operations/fiat-operations.ts';
import { listWalletCandles, listWalletTrades } from './operations/trading-operations.ts';

export const walletOperations = {
  listWallets,
  createWallet,
  getWallet,
  updateWallet,
  createWalletTransfer,
  listWalletTransfers,
  listWalletTrades,
  listWalletCandles,
  listCryptoNetworks,
  createCryptoReceiveAddress,
  listCryptoReceiveAddresses,
  listCryptoReceives,
  createCryptoSend,
  listCryptoSends,
  estimateCryptoSend,
  createFiatBeneficiary,
  listFiatBeneficiaries,
  createFiatWithdrawal,
  listFiatDeposits,
} as const;
