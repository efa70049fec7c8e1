/** The stories of the wallet document's operations, see interface-scenarios.ts. */
import type { Driver } from './interface-driver.ts';
import type { Scenarios } from './interface-scenarios.ts';
import { accountOf, done, trade } from './scenario-steps.ts';

const bitcoinAddress = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
const minute = 60_000;

async function openWallet(driver: Driver): Promise<string> {
  return (await done(driver, 'createWallet', { name: 'second', currency: 'ZAR' })).id;
}

async function transfer(driver: Driver) {
  const walletId = await accountOf(driver, 'ZAR');
  const toWalletId = await openWallet(driver);
  return { walletId, toWalletId, amount: '75.5', clientTransferId: 'to-second' };
}

export const walletScenarios: Scenarios = {
  listWallets: async (driver) => {
    await openWallet(driver);
    return driver.call('listWallets', { pageIndex: 0, pageSize: 3 });
  },
  createWallet: (driver) => driver.call('createWallet', { name: 'holiday', currency: 'ETH' }),
  getWallet: async (driver) => driver.call('getWallet', { walletId: await openWallet(driver) }),
  updateWallet: async (driver) =>
    driver.call('updateWallet', { walletId: await openWallet(driver), name: 'Ünïcode' }),
  createWalletTransfer: async (driver) =>
    driver.call('createWalletTransfer', await transfer(driver)),
  listWalletTransfers: async (driver) => {
    const parameters = await transfer(driver);
    await done(driver, 'createWalletTransfer', parameters);
    const { walletId } = parameters;
    const now = driver.timeMs();
    return driver.call('listWalletTransfers', { walletId, from: now - minute, to: now + 1 });
  },
  listWalletTrades: async (driver) => {
    await trade(driver);
    return driver.call('listWalletTrades', { marketId: 'XBTZAR' });
  },
  listWalletCandles: async (driver) => {
    await trade(driver);
    const from = driver.timeMs() - minute;
    return driver.call('listWalletCandles', { marketId: 'XBTZAR', duration: '1m', from });
  },
  listCryptoNetworks: (driver) => driver.call('listCryptoNetworks', { currency: 'USDC' }),
  createCryptoReceiveAddress: (driver) =>
    driver.call('createCryptoReceiveAddress', { currency: 'XBT', name: 'shop' }),
  listCryptoReceiveAddresses: async (driver) => {
    await done(driver, 'createCryptoReceiveAddress', { currency: 'XBT' });
    return driver.call('listCryptoReceiveAddresses', {});
  },
  listCryptoReceives: async (driver) => {
    const { address } = await done(driver, 'createCryptoReceiveAddress', { currency: 'XBT' });
    driver.control({ kind: 'crypto-deposit', address, amount: '0.5' });
    driver.wait(minute);
    return driver.call('listCryptoReceives', { walletId: await accountOf(driver, 'XBT') });
  },
  createCryptoSend: (driver) =>
    driver.call('createCryptoSend', {
      currency: 'XBT',
      amount: '0.01',
      address: bitcoinAddress,
      externalId: 'send_1',
    }),
  listCryptoSends: async (driver) => {
    await done(driver, 'createCryptoSend', {
      currency: 'XBT',
      amount: '0.01',
      address: bitcoinAddress,
    });
    return driver.call('listCryptoSends', {});
  },
  estimateCryptoSend: (driver) =>
    driver.call('estimateCryptoSend', { currency: 'XBT', amount: '1', address: bitcoinAddress }),
  createFiatBeneficiary: (driver) =>
    driver.call('createFiatBeneficiary', {
      accountNumber: '62000000001',
      accountType: 'SAVINGS',
      accountHolder: 'Jane Doe',
      branchCode: '250655',
      country: 'ZA',
    }),
  listFiatBeneficiaries: async (driver) => {
    await beneficiary(driver);
    return driver.call('listFiatBeneficiaries', { pageSize: 1 });
  },
  createFiatWithdrawal: async (driver) => {
    const { id } = await beneficiary(driver);
    return driver.call('createFiatWithdrawal', {
      type: 'ZAR_EFT',
      amount: '500',
      beneficiaryId: id,
      fast: true,
    });
  },
  listFiatDeposits: async (driver) => {
    const accountId = await accountOf(driver, 'ZAR');
    driver.control({ kind: 'fiat-deposit', accountId, amount: '1000', status: 'COMPLETED' });
    return driver.call('listFiatDeposits', {});
  },
};

function beneficiary(driver: Driver) {
  return done(driver, 'createFiatBeneficiary', {
    accountNumber: '62000000001',
    accountType: 'SAVINGS',
    accountHolder: 'Jane Doe',
    swiftCode: 'FIRNZAJJ',
  });
}
