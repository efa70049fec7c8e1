/**
 * For every operation a short story that ends with a call of it which succeeds. An operation
 * without one is missing from {@link operationScenarios}, which a test and the prover tell.
 */
import type { OperationName } from '../../src/venues/luno/api/operations.ts';
import type { Reply } from '../../src/venues/luno/api/reply.ts';
import type { Driver } from './interface-driver.ts';
import {
  accountOf,
  addBeneficiary,
  done,
  openAccount,
  quoteMarket,
  rest,
  trade,
} from './scenario-steps.ts';
import { walletScenarios } from './wallet-scenarios.ts';

export type Scenario = (driver: Driver) => Promise<Reply>;
export type Scenarios = { readonly [Name in OperationName]?: Scenario };

const minute = 60_000;
const pair = 'XBTZAR';

const marketData: Scenarios = {
  markets: (driver) => driver.call('markets', { pair: [pair, 'ETHXBT'] }),
  ticker: async (driver) => {
    await trade(driver);
    return driver.call('ticker', { pair });
  },
  tickers: async (driver) => {
    await trade(driver);
    return driver.call('tickers', { pair: [pair] });
  },
  orderBookTop: async (driver) => {
    await quoteMarket(driver);
    return driver.call('orderBookTop', { pair });
  },
  orderBook: async (driver) => {
    await quoteMarket(driver);
    await rest(driver);
    return driver.call('orderBook', { pair });
  },
  trades: async (driver) => {
    await trade(driver);
    await trade(driver, '0.02');
    return driver.call('trades', { pair, since: driver.timeMs() - minute });
  },
  candles: async (driver) => {
    await trade(driver);
    driver.wait(2 * minute);
    await trade(driver, '0.02');
    return driver.call('candles', { pair, since: driver.timeMs() - 10 * minute, duration: 60 });
  },
};

const orders: Scenarios = {
  feeInfo: (driver) => driver.call('feeInfo', { pair }),
  postorder: (driver) =>
    driver.call('postorder', {
      pair,
      type: 'ASK',
      price: '1000000',
      volume: '0.5',
      time_in_force: 'GTC',
      post_only: true,
      client_order_id: 'mine-1',
      timestamp: driver.timeMs(),
      ttl: 5000,
    }),
  stoporder: async (driver) => driver.call('stoporder', { order_id: await rest(driver) }),
  marketorder: async (driver) => {
    await quoteMarket(driver);
    return driver.call('marketorder', { pair, type: 'BUY', counter_volume: '5000' });
  },
  listOrders: async (driver) => {
    await rest(driver);
    await trade(driver);
    return driver.call('listOrders', { state: 'COMPLETE', pair, limit: 10 });
  },
  listOrdersV2: async (driver) => {
    await rest(driver);
    await trade(driver);
    return driver.call('listOrdersV2', { pair, closed: true });
  },
  getOrder: async (driver) => driver.call('getOrder', { id: await trade(driver) }),
  getOrderV2: async (driver) => driver.call('getOrderV2', { id: await trade(driver) }),
  getOrderV3: async (driver) => {
    await rest(driver, { client_order_id: 'mine-3' });
    return driver.call('getOrderV3', { client_order_id: 'mine-3' });
  },
  listtrades: async (driver) => {
    await trade(driver);
    await trade(driver, '0.03');
    return driver.call('listtrades', { pair, sort_desc: true });
  },
};

async function quote(driver: Driver): Promise<string> {
  await quoteMarket(driver);
  return (await done(driver, 'createQuote', { type: 'BUY', pair, base_amount: '0.1' })).id;
}

const quotes: Scenarios = {
  createQuote: async (driver) => {
    await quoteMarket(driver);
    return driver.call('createQuote', { type: 'SELL', pair: 'ZARXBT', base_amount: '5000' });
  },
  getQuote: async (driver) => driver.call('getQuote', { id: await quote(driver) }),
  exerciseQuote: async (driver) => driver.call('exerciseQuote', { id: await quote(driver) }),
  discardQuote: async (driver) => driver.call('discardQuote', { id: await quote(driver) }),
};

const accounts: Scenarios = {
  balance: async (driver) => {
    await rest(driver);
    return driver.call('balance', { assets: ['ZAR', 'XBT'], account_type: ['TRANSACTIONAL'] });
  },
  transactions: async (driver) => {
    await trade(driver);
    const id = await accountOf(driver, 'ZAR');
    return driver.call('transactions', { id, min_row: '-100', max_row: '0' });
  },
  listPending: async (driver) => {
    const { address } = await done(driver, 'createReceiveAddress', { asset: 'XBT' });
    driver.control({ kind: 'crypto-deposit', address, amount: '0.5' });
    return driver.call('listPending', { id: await accountOf(driver, 'XBT') });
  },
  createAccount: (driver) =>
    driver.call('createAccount', { currency: 'XBT', name: 'savings', account_type: 'SPOT' }),
  renameAccount: async (driver) =>
    driver.call('renameAccount', { id: await accountOf(driver, 'ZAR'), name: 'rent' }),
};

async function move(driver: Driver, more: { readonly client_move_id?: string } = {}) {
  return done(driver, 'createMove', {
    amount: '100',
    debit_account_id: await accountOf(driver, 'ZAR'),
    credit_account_id: await openAccount(driver, 'ZAR'),
    ...more,
  });
}

const moves: Scenarios = {
  createMove: async (driver) =>
    driver.call('createMove', {
      amount: '250.50',
      debit_account_id: await accountOf(driver, 'ZAR'),
      credit_account_id: await openAccount(driver, 'ZAR'),
      client_move_id: 'rent;november',
    }),
  getMove: async (driver) => {
    await move(driver, { client_move_id: 'one' });
    driver.wait(minute);
    return driver.call('getMove', { client_move_id: 'one' });
  },
  listMoves: async (driver) => {
    await move(driver);
    await move(driver);
    return driver.call('listMoves', { limit: 1 });
  },
  convert: async (driver) =>
    driver.call('convert', {
      amount: '12.34',
      source_account_id: await accountOf(driver, 'ZAR'),
      target_account_id: await accountOf(driver, 'ZARU'),
      idempotency_key: 'once',
    }),
};

const bank: Scenarios = {
  createBeneficiary: (driver) =>
    driver.call('createBeneficiary', {
      bank_name: 'FIRNZAJJ',
      bank_account_number: '62000000001',
      account_type: 'Current/Cheque',
      bank_recipient: 'Jane Doe',
    }),
  listBeneficiaries: async (driver) => {
    await addBeneficiary(driver);
    return driver.call('listBeneficiaries', { bank_recipient: 'Jane*' });
  },
  deleteBeneficiary: async (driver) =>
    driver.call('deleteBeneficiary', { id: await addBeneficiary(driver) }),
  createWithdrawal: async (driver) =>
    driver.call('createWithdrawal', {
      type: 'ZAR_EFT',
      amount: '500',
      beneficiary_id: await addBeneficiary(driver),
      external_id: 'payday',
    }),
  listWithdrawals: async (driver) => {
    await withdraw(driver);
    return driver.call('listWithdrawals', {});
  },
  getWithdrawal: async (driver) => driver.call('getWithdrawal', { id: await withdraw(driver) }),
  cancelWithdrawal: async (driver) =>
    driver.call('cancelWithdrawal', { id: await withdraw(driver) }),
};

async function withdraw(driver: Driver): Promise<string> {
  const beneficiary = await addBeneficiary(driver);
  const parameters = { type: 'ZAR_EFT', amount: '500', beneficiary_id: beneficiary } as const;
  return (await done(driver, 'createWithdrawal', parameters)).id;
}

/** An address with the checksum of its letters. */
export const ethereumAddress = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
export const bitcoinAddress = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';

const crypto: Scenarios = {
  createReceiveAddress: (driver) => driver.call('createReceiveAddress', { asset: 'XBT' }),
  getReceiveAddress: async (driver) => {
    const { address } = await done(driver, 'createReceiveAddress', { asset: 'ETH' });
    return driver.call('getReceiveAddress', { asset: 'ETH', address });
  },
  validateAddress: (driver) =>
    driver.call('validateAddress', {
      address: bitcoinAddress,
      currency: 'XBT',
      is_self_send: true,
    }),
  send: (driver) =>
    driver.call('send', {
      amount: '0.1',
      currency: 'XBT',
      address: bitcoinAddress,
      description: 'for the car',
      external_id: 'car-1',
    }),
  sendFee: (driver) =>
    driver.call('sendFee', { address: ethereumAddress, amount: '1', currency: 'ETH' }),
  sendNetworks: (driver) => driver.call('sendNetworks', { currency: 'USDC' }),
  listTransfers: async (driver) => {
    await done(driver, 'send', { amount: '0.1', currency: 'XBT', address: bitcoinAddress });
    driver.wait(minute);
    return driver.call('listTransfers', { account_id: await accountOf(driver, 'XBT') });
  },
};

const people: Scenarios = {
  linkedUsers: (driver) => {
    const link = { userId: 'desk', linkedUserId: '4242', label: 'other desk' } as const;
    driver.control({ kind: 'link-user', ...link, permissions: ['Perm_R_Balance'] });
    return driver.call('linkedUsers', { limit: 10 });
  },
  grant: (driver) => {
    const key = { keyId: 'granted', secret: 'secret-of-granted', userId: 'other', permissions: 1 };
    driver.control({ kind: 'offer-grant', clientUserId: 'desk', code: 'code-1', ...key });
    return driver.call('grant', { grant_type: 'authorization_code', code: 'code-1' });
  },
};

export const operationScenarios: Scenarios = {
  ...marketData,
  ...orders,
  ...quotes,
  ...accounts,
  ...moves,
  ...bank,
  ...crypto,
  ...people,
  ...walletScenarios,
};
