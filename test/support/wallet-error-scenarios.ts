/** The stories of errors that only the wallet document has, see error-scenarios.ts. */
import type { ErrorScenarios } from './error-scenarios.ts';
import type { Driver } from './interface-driver.ts';
import { bitcoinAddress } from './interface-scenarios.ts';
import { sendTexts } from './raw-request.ts';
import { accountOf, done, restrict } from './scenario-steps.ts';

const payment = { currency: 'XBT', amount: '0.01', address: bitcoinAddress } as const;
const bank = {
  accountNumber: '62000000001',
  accountType: 'SAVINGS',
  accountHolder: 'Jane Doe',
  swiftCode: 'FIRNZAJJ',
} as const;

async function transferWith(driver: Driver, more: Readonly<Record<string, string>>) {
  const walletId = await accountOf(driver, 'ZAR');
  const toWalletId = await accountOf(driver, 'XBT');
  const parameters = { walletId, toWalletId, amount: '1', ...more };
  return driver.call('createWalletTransfer', parameters);
}

const callErrors: ErrorScenarios = {
  ErrInvalidAPIKey: (driver) => driver.call('listWallets', {}, { key: 'stranger' }),
  ErrIncorrectHMACSignature: (driver) => driver.call('listWallets', {}, { key: 'wrong-secret' }),
  ErrInvalidAuth: (driver) => sendTexts(driver, 'listWallets', {}, { headers: {} }),
  ErrInsufficientPermissions: (driver) => driver.call('listWallets', {}, { key: 'nothing' }),
  ErrUnauthorized: async (driver) => {
    const ownerAccountId = await accountOf(driver, 'ZAR', { key: 'other' });
    return driver.call('listWallets', {}, { ownerAccountId });
  },
  ErrSvcLabsNotEnabled: (driver) => {
    driver.control(restrict('wallet-interface-off', 'desk'));
    return driver.call('listWallets', {});
  },
  ErrRateLimitExceeded: async (driver) => {
    for (let call = 0; call < 300; call++) await done(driver, 'listWallets', { pageSize: 1 });
    return driver.call('listWallets', {});
  },
  ErrRequestBodyFormat: (driver) => sendTexts(driver, 'createWallet', {}, { body: '[]' }),
  ErrInvalidIdFormat: (driver) => sendTexts(driver, 'getWallet', { walletId: 'x' }),
  ErrInvalidDateRange: (driver) =>
    driver.call('listCryptoSends', { from: startMs + 2, to: startMs + 1 }),
  ErrLessThanMinFromBound: (driver) => driver.call('listCryptoSends', { from: 1 }),
  ErrLessThanMinToBound: (driver) => driver.call('listCryptoSends', { to: 1 }),
};

/** 2026-11-20, later than the earliest bound of a range. */
const startMs = 1_795_132_800_000;

const moneyErrors: ErrorScenarios = {
  ErrBlocked: (driver) => {
    driver.control(restrict('blocked-user', 'desk'));
    return driver.call('createCryptoSend', payment);
  },
  ErrNotInAddressBook: (driver) => {
    driver.control(restrict('address-book-only', 'desk'));
    return driver.call('createCryptoSend', payment);
  },
  ErrReceivesDisabled: (driver) => {
    driver.control(restrict('blocked-currency', 'XBT'));
    return driver.call('createCryptoReceiveAddress', { currency: 'XBT' });
  },
  ErrDebitAccountNotOwnedByUser: (driver) => transferWith(driver, { walletId: '12' }),
  ErrResourceNotFound: (driver) => transferWith(driver, { toWalletId: '12' }),
  ErrInvalidRequest: (driver) => transferWith(driver, {}),
  ErrDuplicateSend: async (driver) => {
    await done(driver, 'createCryptoSend', { ...payment, externalId: 'once' });
    return driver.call('createCryptoSend', { ...payment, externalId: 'once' });
  },
  ErrInvalidAddress: (driver) => driver.call('estimateCryptoSend', { ...payment, address: '0x1' }),
  ErrInvalidDestinationTag: (driver) =>
    driver.call('createCryptoSend', { ...payment, destinationTag: '7' }),
  ErrInvalidNetworkId: (driver) =>
    driver.call('createCryptoReceiveAddress', { currency: 'XBT', networkId: '999' }),
  ErrSocialSendsDisabled: (driver) =>
    driver.call('createCryptoSend', { ...payment, address: 'jane@example.com' }),
  ErrBankNotFound: (driver) => driver.call('createFiatBeneficiary', { ...bank, swiftCode: 'NOPE' }),
  ErrRequestTypeDoesNotSupportFastWithdrawals: (driver) =>
    driver.call('createFiatWithdrawal', { type: 'NGN_EFT', amount: '500', fast: true }),
  ErrMultipleBeneficiaries: async (driver) => {
    await done(driver, 'createFiatBeneficiary', bank);
    await done(driver, 'createFiatBeneficiary', bank);
    return driver.call('createFiatWithdrawal', { type: 'ZAR_EFT', amount: '500' });
  },
  ErrMaxActiveRequests: async (driver) => {
    await done(driver, 'createFiatBeneficiary', bank);
    const withdrawal = { type: 'ZAR_EFT', amount: '500' } as const;
    for (let count = 0; count < 5; count++) await done(driver, 'createFiatWithdrawal', withdrawal);
    return driver.call('createFiatWithdrawal', withdrawal);
  },
};

export const walletErrors: ErrorScenarios = { ...callErrors, ...moneyErrors };
