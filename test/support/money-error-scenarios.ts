/** The stories of errors around accounts, moves, banks and addresses, see error-scenarios.ts. */
import type { ErrorScenarios } from './error-scenarios.ts';
import type { Driver } from './interface-driver.ts';
import { bitcoinAddress, ethereumAddress } from './interface-scenarios.ts';
import { sendTexts } from './raw-request.ts';
import { accountOf, addBeneficiary, done, openAccount, restrict } from './scenario-steps.ts';

const move = { amount: '100' } as const;

async function convertWith(driver: Driver, more: Readonly<Record<string, string>> = {}) {
  return driver.call('convert', {
    amount: '1',
    source_account_id: await accountOf(driver, 'ZAR'),
    target_account_id: await accountOf(driver, 'ZARU'),
    idempotency_key: 'once',
    ...more,
  });
}

async function moveWith(driver: Driver, more: Readonly<Record<string, string>> = {}) {
  return driver.call('createMove', {
    ...move,
    debit_account_id: await accountOf(driver, 'ZAR'),
    credit_account_id: more['credit_account_id'] ?? (await openAccount(driver, 'ZAR')),
    ...more,
  });
}

const accountErrors: ErrorScenarios = {
  ErrAccountLimit: async (driver) => {
    for (let count = 1; count < 10; count++) await openAccount(driver, 'ZAR');
    return driver.call('createAccount', { currency: 'ZAR', name: 'eleventh' });
  },
  ErrInvalidAccountType: (driver) =>
    sendTexts(driver, 'createAccount', { currency: 'ZAR', name: 'x', account_type: 'STAKING' }),
  ErrInvalidCurrency: (driver) =>
    sendTexts(driver, 'createAccount', { currency: 'ABC', name: 'x' }),
  ErrTooManyRowsRequested: async (driver) =>
    driver.call('transactions', {
      id: await accountOf(driver, 'ZAR'),
      min_row: '1',
      max_row: '1002',
    }),
  ErrAccountsNotDifferent: async (driver) =>
    moveWith(driver, { credit_account_id: await accountOf(driver, 'ZAR') }),
  ErrDifferentCurrencies: async (driver) =>
    moveWith(driver, { credit_account_id: await accountOf(driver, 'XBT') }),
  ErrCreditAccountTypeNotSupported: async (driver) =>
    moveWith(driver, { credit_account_id: await openAccount(driver, 'ZAR', 'SPOT') }),
  ErrDebitAccountTypeNotSupported: async (driver) =>
    moveWith(driver, { debit_account_id: await openAccount(driver, 'ZAR', 'SPOT') }),
  ErrDuplicateClientMoveID: async (driver) => {
    const credit = await openAccount(driver, 'ZAR');
    await moveWith(driver, { client_move_id: 'once', credit_account_id: credit });
    return moveWith(driver, { client_move_id: 'once', credit_account_id: credit });
  },
  ErrInsufficientFunds: (driver) => moveWith(driver, { amount: '10000001' }),
  ErrInvalidAmount: (driver) => moveWith(driver, { amount: '0' }),
  ErrFundsMoveNotFound: (driver) => driver.call('getMove', { id: '12' }),
};

const convertErrors: ErrorScenarios = {
  ErrMissingIdempotencyKey: async (driver) =>
    sendTexts(driver, 'convert', {
      amount: '1',
      source_account_id: await accountOf(driver, 'ZAR'),
      target_account_id: await accountOf(driver, 'ZARU'),
    }),
  ErrIdempotencyKeyConflict: async (driver) => {
    await convertWith(driver, { amount: '10000001' });
    return convertWith(driver, { amount: '10000001' });
  },
  ErrIdempotencyKeyRequestMismatch: async (driver) => {
    await convertWith(driver);
    return convertWith(driver, { amount: '2' });
  },
  ErrConvertPairNotSupported: async (driver) =>
    convertWith(driver, { target_account_id: await accountOf(driver, 'XBT') }),
  ErrConvertRateLimited: (driver) => {
    driver.control(restrict('conversion-rate', 'desk'));
    return convertWith(driver);
  },
};

const bankAccount = {
  bank_name: 'FIRNZAJJ',
  bank_account_number: '62000000001',
  account_type: 'Savings',
  bank_recipient: 'Jane Doe',
} as const;

async function withdrawWith(driver: Driver, more: Readonly<Record<string, string>> = {}) {
  const id = await addBeneficiary(driver);
  return sendTexts(driver, 'createWithdrawal', {
    type: 'ZAR_EFT',
    amount: '500',
    beneficiary_id: id,
    ...more,
  });
}

/** Adds a bank account and sets a state of the world that concerns it or its owner. */
async function withdrawUnder(
  driver: Driver,
  restriction: Parameters<typeof restrict>[0],
  more: Readonly<Record<string, string>> = {},
) {
  const id = await addBeneficiary(driver);
  const isOfBank = restriction.endsWith('-beneficiary');
  driver.control(restrict(restriction, isOfBank ? id : 'desk'));
  return withdrawWith(driver, { beneficiary_id: id, ...more });
}

const bankErrors: ErrorScenarios = {
  ErrInvalidDetails: (driver) =>
    driver.call('createBeneficiary', { ...bankAccount, bank_name: 'a bank' }),
  ErrInvalidBranchCode: (driver) =>
    driver.call('createBeneficiary', { ...bankAccount, bank_name: 'FIRNZAJJ12' }),
  ErrInvalidAccountNumber: (driver) =>
    driver.call('createBeneficiary', { ...bankAccount, bank_account_number: '1' }),
  ErrBeneficiaryNotFound: (driver) => driver.call('deleteBeneficiary', { id: '12' }),
  ErrInvalidRequestType: (driver) => withdrawWith(driver, { type: 'ZAR' }),
  ErrAmountTooSmall: (driver) => withdrawWith(driver, { amount: '9.99' }),
  ErrAmountTooBig: (driver) => withdrawWith(driver, { amount: '10000001' }),
  ErrInvalidSourceAccount: (driver) => withdrawWith(driver, { source_account_id: '12' }),
  ErrIncompatibleBeneficiary: async (driver) => {
    const london = { ...bankAccount, bank_name: 'BARCGB22' };
    const { id } = await done(driver, 'createBeneficiary', london);
    return withdrawWith(driver, { beneficiary_id: id });
  },
  ErrDuplicateExternalID: async (driver) => {
    await withdrawWith(driver, { external_id: 'once' });
    return withdrawWith(driver, { external_id: 'once' });
  },
  ErrMaxActiveFiatRequestsExists: async (driver) => {
    for (let count = 0; count < 5; count++) await withdrawWith(driver);
    return withdrawWith(driver);
  },
  ErrRejectedBeneficiary: (driver) => withdrawUnder(driver, 'rejected-beneficiary'),
  ErrBeneficiaryScreeningRejected: (driver) => withdrawUnder(driver, 'screened-beneficiary'),
  ErrWithdrawalBlocked: (driver) => withdrawUnder(driver, 'blocked-withdrawals'),
  ErrCustomRefNotAllowed: (driver) =>
    withdrawUnder(driver, 'no-custom-references', { reference: 'rent' }),
  ErrWithdrawalNotFound: (driver) => driver.call('getWithdrawal', { id: '12' }),
  ErrUserBlockedForCancelWithdrawal: async (driver) => {
    await withdrawUnder(driver, 'blocked-withdrawal-cancels');
    const { withdrawals } = await done(driver, 'listWithdrawals', {});
    return driver.call('cancelWithdrawal', { id: withdrawals[0]?.id ?? '' });
  },
};

const payment = { amount: '0.1', currency: 'XBT', address: bitcoinAddress } as const;

const cryptoErrors: ErrorScenarios = {
  ErrNoAddressesAssigned: (driver) => driver.call('getReceiveAddress', { asset: 'XBT' }),
  ErrAddressLimitReached: async (driver) => {
    await done(driver, 'createReceiveAddress', { asset: 'ETH' });
    return driver.call('createReceiveAddress', { asset: 'ETH' });
  },
  ErrAddressCreateRateLimitReached: async (driver) => {
    for (let count = 0; count < 10; count++)
      await done(driver, 'createReceiveAddress', { asset: 'XBT' });
    return driver.call('createReceiveAddress', { asset: 'XBT' });
  },
  ErrERC20AddressAlreadyAssigned: async (driver) => {
    await done(driver, 'createReceiveAddress', { asset: 'USDC' });
    return driver.call('createReceiveAddress', { asset: 'USDC' });
  },
  ErrERC20NonTransactionalAccount: async (driver) => {
    const parameters = { currency: 'USDC', name: 'spot', account_type: 'SPOT' } as const;
    const { id } = await done(driver, 'createAccount', parameters);
    return driver.call('createReceiveAddress', { asset: 'USDC', account_id: id });
  },
  ErrUnsupportedWalletType: async (driver) =>
    driver.call('createReceiveAddress', {
      asset: 'XBT',
      account_id: await openAccount(driver, 'XBT', 'SPOT'),
    }),
  ErrInvalidWalletType: async (driver) =>
    driver.call('send', { ...payment, account_id: await openAccount(driver, 'XBT', 'SPOT') }),
  ErrDescriptionTooLong: (driver) =>
    sendTexts(driver, 'send', { ...payment, description: 'x'.repeat(257) }),
  ErrActiveCryptoRequestExists: async (driver) => {
    await done(driver, 'send', payment);
    return driver.call('send', payment);
  },
  ErrBlockedSendsCurrency: (driver) => {
    driver.control(restrict('blocked-currency', 'XBT'));
    return driver.call('createReceiveAddress', { asset: 'XBT' });
  },
  ErrTravelRule: (driver) => {
    driver.control(restrict('travel-rule', 'desk'));
    return driver.call('send', payment);
  },
  ErrVerificationLevelTooLow: (driver) => {
    driver.control(restrict('low-verification', 'desk'));
    return driver.call('send', payment);
  },
  ErrDisallowedTarget: (driver) => {
    driver.control(restrict('disallowed-target', ethereumAddress));
    return driver.call('send', { amount: '1', currency: 'ETH', address: ethereumAddress });
  },
};

export const moneyErrors: ErrorScenarios = {
  ...accountErrors,
  ...convertErrors,
  ...bankErrors,
  ...cryptoErrors,
};
