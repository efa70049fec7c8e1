/**
 * For every error code that the simulator has a cause for, a story that ends with it. What only the
 * operator's `fail-next` gives is not here.
 */
import type { ErrorCode } from '../../src/venues/luno/api/error-codes.ts';
import type { Scenario } from './interface-scenarios.ts';
import { moneyErrors } from './money-error-scenarios.ts';
import { sendTexts } from './raw-request.ts';
import {
  accountOf,
  done,
  openAccount,
  quoteMarket,
  rest,
  restrict,
  trade,
} from './scenario-steps.ts';
import { walletErrors } from './wallet-error-scenarios.ts';

export type ErrorScenarios = { readonly [Code in ErrorCode]?: Scenario };

const pair = 'XBTZAR';
const limitOrder = { pair, type: 'BID', price: '900000', volume: '0.01' } as const;

/** Places a limit order that differs from one that is accepted. */
const orderWith =
  (more: Readonly<Record<string, string>>): Scenario =>
  (driver) =>
    sendTexts(driver, 'postorder', { ...limitOrder, ...more });

const leveraged = orderWith({ leverage: '2' });
const stopWith = (more: Readonly<Record<string, string>>): Scenario =>
  orderWith({ stop_price: '950000', stop_direction: 'ABOVE', ...more });

/** The caller and the call itself. */
const callErrors: ErrorScenarios = {
  ErrAPIKeyNotFound: (driver) => driver.call('balance', {}, { key: 'stranger' }),
  ErrApiKeyRevoked: (driver) => {
    driver.control({ kind: 'revoke-key', keyId: 'key-doomed' });
    return driver.call('balance', {}, { key: 'doomed' });
  },
  ErrInsufficientPerms: (driver) => driver.call('balance', {}, { key: 'nothing' }),
  ErrTooManyRequests: async (driver) => {
    for (let call = 0; call < 300; call++) await done(driver, 'balance', {});
    return driver.call('balance', {});
  },
  ErrUnauthorised: (driver) =>
    driver.call('grant', { grant_type: 'authorization_code', code: 'mine' }),
  ErrInvalidArguments: (driver) => sendTexts(driver, 'transactions', { id: '1', min_row: 'x' }),
  ErrInvalidParameters: (driver) =>
    sendTexts(driver, 'stoporder', {}, { body: '{}', type: 'application/json' }),
  ErrInvalidValue: orderWith({ volume: '1e-2' }),
  ErrLimitOutOfRange: (driver) => sendTexts(driver, 'listOrdersV2', { limit: '1001' }),
  ErrNotFound: (driver) => driver.call('getQuote', { id: '12' }),
};

const marketErrors: ErrorScenarios = {
  ErrMarketUnavailable: (driver) => driver.call('ticker', { pair: 'NOPE' }),
  ErrUnderMaintenance: (driver) => {
    driver.control({ kind: 'set-status', pair, status: 'DISABLED', isUnderMaintenance: true });
    return driver.call('postorder', limitOrder);
  },
  ErrPostOnlyMode: (driver) => {
    driver.control({ kind: 'set-status', pair, status: 'POST_ONLY' });
    return driver.call('postorder', limitOrder);
  },
  ErrMarketNotAllowed: (driver) => {
    const state = { state: 'market-not-allowed', userId: 'desk', pair } as const;
    driver.control({ kind: 'set-trading-state', isOn: true, ...state });
    return driver.call('postorder', limitOrder);
  },
  ErrAccountIsMigrating: (driver) => {
    driver.control(restrict('migrating-accounts', 'desk'));
    return driver.call('postorder', limitOrder);
  },
  ErrUserNotVerifiedForCurrency: (driver) => {
    driver.control(restrict('unverified-currency', 'desk/ETH'));
    return driver.call('createAccount', { currency: 'ETH', name: 'ether' });
  },
  ErrOnlySpotWalletsAllowed: (driver) => {
    const state = { state: 'only-spot-wallets', pair } as const;
    driver.control({ kind: 'set-trading-state', isOn: true, ...state });
    return driver.call('postorder', limitOrder);
  },
  ErrSpotMarginNotEnabled: leveraged,
  ErrSpotMarginNotSupportedForInstrument: (driver) => {
    const state = { state: 'spot-margin', userId: 'desk' } as const;
    driver.control({ kind: 'set-trading-state', isOn: true, ...state });
    return leveraged(driver);
  },
  ErrLeverageRequiresSpotMarginWallet: (driver) => {
    const states = [
      { state: 'spot-margin', userId: 'desk' },
      { state: 'spot-margin-market', pair },
    ] as const;
    for (const state of states) driver.control({ kind: 'set-trading-state', isOn: true, ...state });
    return leveraged(driver);
  },
  ErrSpotMarginWalletRequiresLeverage: async (driver) => {
    for (const currency of ['XBT', 'ZAR'])
      driver.control({
        kind: 'open-account',
        userId: 'desk',
        currency,
        type: 'SPOT_MARGIN',
      });
    const { balance } = await done(driver, 'balance', { account_type: ['SPOT_MARGIN'] });
    const idOf = (currency: string) => balance.find((one) => one.asset === currency)?.account_id;
    return driver.call('postorder', {
      ...limitOrder,
      base_account_id: idOf('XBT'),
      counter_account_id: idOf('ZAR'),
    });
  },
};

const orderErrors: ErrorScenarios = {
  ErrInvalidOrderSide: orderWith({ type: 'BUY' }),
  ErrInvalidPrice: orderWith({ price: '0' }),
  ErrInvalidVolume: orderWith({ volume: '0' }),
  ErrPriceTooLow: orderWith({ price: '1' }),
  ErrPriceTooHigh: orderWith({ price: '100000001' }),
  ErrPriceDenominationNotAllowed: orderWith({ price: '900000.5' }),
  ErrVolumeTooLow: orderWith({ volume: '0.000001' }),
  ErrVolumeTooHigh: orderWith({ volume: '101' }),
  ErrVolumeDenominationNotAllowed: orderWith({ volume: '0.0100001' }),
  ErrPostOnlyNotAllowed: orderWith({ post_only: 'true', time_in_force: 'IOC' }),
  ErrInvalidClientOrderId: orderWith({ client_order_id: 'a b' }),
  ErrInsufficientBalance: orderWith({ volume: '50' }),
  ErrAccountNotFound: orderWith({ base_account_id: '12' }),
  ErrDeadlineExceeded: (driver) =>
    driver.call('postorder', { ...limitOrder, timestamp: driver.timeMs() - 5001, ttl: 5000 }),
  ErrDuplicateClientOrderID: async (driver) => {
    await rest(driver, { client_order_id: 'once' });
    return driver.call('postorder', { ...limitOrder, client_order_id: 'once' });
  },
  ErrInvalidAccountID: async (driver) =>
    driver.call('postorder', { ...limitOrder, base_account_id: await accountOf(driver, 'ZAR') }),
  ErrCrossAccountTypeTradeNotAllowed: async (driver) =>
    driver.call('postorder', {
      ...limitOrder,
      base_account_id: await openAccount(driver, 'XBT', 'SPOT'),
    }),
  ErrOrderCanceled: async (driver) => {
    await quoteMarket(driver);
    return driver.call('postorder', { ...limitOrder, price: '1001000', post_only: true });
  },
  ErrCannotTradeWhileQuoteActive: async (driver) => {
    await quoteMarket(driver);
    await done(driver, 'createQuote', { type: 'BUY', pair, base_amount: '0.1' });
    return driver.call('postorder', limitOrder);
  },
  ErrInvalidStopDirection: orderWith({ stop_direction: 'UP' }),
  ErrInvalidStopPrice: stopWith({ stop_price: '950000.5' }),
  ErrStopPriceTooHigh: stopWith({ stop_price: '100000001' }),
  ErrStopPriceTooLow: stopWith({ stop_price: '9999' }),
  ErrNoTradesToInferStopDirection: stopWith({ stop_direction: 'RELATIVE_LAST_TRADE' }),
  ErrCannotStopUnknownOrNonPendingOrder: async (driver) =>
    driver.call('stoporder', { order_id: await trade(driver) }),
  ErrOrderNotFound: (driver) => driver.call('getOrder', { id: 'BX0000000000000' }),
  ErrInvalidOrderRef: (driver) => sendTexts(driver, 'getOrder', { id: 'a b' }),
  ErrInvalidBaseVolume: (driver) => driver.call('marketorder', { pair, type: 'SELL' }),
  ErrInvalidCounterVolume: (driver) => driver.call('marketorder', { pair, type: 'BUY' }),
  ErrCounterDenominationNotAllowed: (driver) =>
    driver.call('marketorder', { pair, type: 'BUY', counter_volume: '1000.0000001' }),
  ErrValueTooHigh: (driver) =>
    driver.call('marketorder', { pair, type: 'BUY', counter_volume: '10000000001' }),
  ErrNotEnoughLiquidity: (driver) =>
    driver.call('marketorder', { pair, type: 'BUY', counter_volume: '1000' }),
  ErrInvalidMarketPair: (driver) =>
    driver.call('createQuote', { type: 'BUY', pair: 'NOPE', base_amount: '1' }),
};

export const errorScenarios: ErrorScenarios = {
  ...callErrors,
  ...marketErrors,
  ...orderErrors,
  ...moneyErrors,
  ...walletErrors,
};
