/** The wallet operations that change something. */
import { cryptoCalls } from './crypto-calls.ts';
import { fiatBeneficiaryCalls } from './fiat-beneficiaries.ts';
import { fiatWithdrawalCalls } from './fiat-withdrawals.ts';
import { walletCalls } from './wallet-calls.ts';

export const allWalletCalls = {
  ...walletCalls,
  ...cryptoCalls,
  ...fiatBeneficiaryCalls,
  ...fiatWithdrawalCalls,
};
