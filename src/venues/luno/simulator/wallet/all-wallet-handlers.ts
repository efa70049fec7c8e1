/** The wallet operations that only read. */
import { cryptoHandlers } from './crypto-handlers.ts';
import { fiatBeneficiaryHandlers } from './fiat-beneficiaries.ts';
import { tradingHandlers } from './trading-handlers.ts';
import { walletTransferHandlers } from './wallet-calls.ts';
import { walletHandlers } from './wallet-handlers.ts';

export const allWalletHandlers = {
  ...walletHandlers,
  ...walletTransferHandlers,
  ...tradingHandlers,
  ...cryptoHandlers,
  ...fiatBeneficiaryHandlers,
};
