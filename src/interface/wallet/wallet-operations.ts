/** Every operation of the wallet document, by name. */
import {
  createCryptoReceiveAddress,
  createCryptoSend,
  estimateCryptoSend,
  listCryptoNetworks,
  listCryptoReceiveAddresses,
  listCryptoReceives,
  listCryptoSends,
} from './operations/crypto.ts';
import {
  createFiatBeneficiary,
  createFiatWithdrawal,
  listFiatBeneficiaries,
  listFiatDeposits,
} from './operations/fiat.ts';
import { listWalletCandles, listWalletTrades } from './operations/trading.ts';
import {
  createWallet,
  createWalletTransfer,
  getWallet,
  listWallets,
  listWalletTransfers,
  updateWallet,
} from './operations/wallets.ts';

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
