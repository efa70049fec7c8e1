/** Handlers of the wallet operations that read networks, addresses, receives, sends and fees. */
import { formatWireAmount } from '../../../../domain/amount.ts';
import type { LedgerRow } from '../../../../exchange-accounts/ledger.ts';
import { cryptoCurrencies } from '../../api/currencies.ts';
import type { ResponseOf } from '../../api/operation.ts';
import type { Operations } from '../../api/operations.ts';
import type { Account } from '../core/account.ts';
import type { Exchange } from '../core/exchange.ts';
import type { Handlers } from '../core/handler.ts';
import { moneyOf } from '../core/money-state.ts';
import { networksOf } from '../money/money-terms.ts';
import { sendHandlers } from '../money/sends.ts';
import { refusalOfTarget } from './crypto-calls.ts';
import { receiveAddressRecordOf, sendRecordOf } from './crypto-records.ts';
import { inRange, pageOf, refusalOfRange } from './selection.ts';
import { walletOf } from './wallet-handlers.ts';

type Names =
  | 'listCryptoNetworks'
  | 'listCryptoReceiveAddresses'
  | 'listCryptoReceives'
  | 'listCryptoSends'
  | 'estimateCryptoSend';

type ReceiveRecord = ResponseOf<Operations['listCryptoReceives']>['receives'][number];
type ReceiveRow = LedgerRow & { readonly crypto: NonNullable<LedgerRow['crypto']> };

export const cryptoHandlers: Pick<Handlers, Names> = {
  listCryptoNetworks: ({ currency }) => {
    const networks = new Map(
      (currency === undefined ? cryptoCurrencies : [currency])
        .flatMap((code) => networksOf(code))
        .map((network) => [network.id, network]),
    );
    return {
      networks: [...networks.values()].map(({ id, name, native }) => ({
        networkId: String(id),
        name,
        nativeCurrency: native,
      })),
    };
  },

  listCryptoReceiveAddresses: ({ currency, ...page }, { exchange, user }) => {
    const own = moneyOf(exchange.state.money, user().id)
      .addresses.filter(({ asset }) => currency === undefined || asset === currency)
      .toReversed();
    return {
      addresses: pageOf(own, page).map((address) => receiveAddressRecordOf(exchange, address)),
    };
  },

  listCryptoReceives: ({ walletId, ...query }, { exchange, user }) => {
    const wallet = walletOf(exchange, user(), walletId);
    if ('code' in wallet) return wallet;
    const refusal = refusalOfRange(query);
    if (refusal !== undefined) return refusal;
    const rows = (wallet.rows ?? []).filter(isReceive);
    const newestFirst = inRange(rows, query, ({ timeMs }) => timeMs).toReversed();
    return {
      receives: pageOf(newestFirst, query).map((row) => receiveRecordOf(exchange, wallet, row)),
    };
  },

  listCryptoSends: (query, { exchange, user }) => {
    const refusal = refusalOfRange(query);
    if (refusal !== undefined) return refusal;
    const own = [...exchange.state.money.sends.values()].filter(
      ({ userId }) => userId === user().id,
    );
    const newestFirst = inRange(own, query, ({ createdMs }) => createdMs).toReversed();
    return { sends: pageOf(newestFirst, query).map(sendRecordOf) };
  },

  estimateCryptoSend: (parameters, context) =>
    refusalOfTarget(parameters) ?? sendHandlers.sendFee(parameters, context),
};

/**
 * Returns whether a row is a receive: it credits money that came to an address. Receives are
 * confirmed and never change.
 */
function isReceive(row: LedgerRow): row is ReceiveRow {
  return row.crypto !== undefined && row.balanceDelta > 0n;
}

function receiveRecordOf(exchange: Exchange, wallet: Account, row: ReceiveRow): ReceiveRecord {
  const { address } = row.crypto;
  // A send to an e-mail address used no network, so the default one is reported.
  const network = exchange.state.money.addresses.get(address)?.network;
  return {
    id: `${wallet.id}-${row.rowIndex}`,
    walletId: wallet.id,
    targetAddress: address,
    createdAt: row.timeMs,
    currency: wallet.currency,
    amount: formatWireAmount(row.balanceDelta),
    networkId: String(network ?? networksOf(wallet.currency)[0]?.id ?? 0),
  };
}
