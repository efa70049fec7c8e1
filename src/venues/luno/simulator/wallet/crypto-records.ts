/** Receive addresses and sends in the format of the wallet API. */
import { formatWireAmount } from '../../../../domain/amount.ts';
import type {
  CryptoReceiveAddressRecord,
  CryptoSendRecord,
} from '../../api/wallet/operations/crypto-operations.ts';
import type { Exchange } from '../core/exchange.ts';
import type { ReceiveAddress, Send } from '../core/money-state.ts';
import { addressRecordOf } from '../money/receive-addresses.ts';

export function receiveAddressRecordOf(
  exchange: Exchange,
  address: ReceiveAddress,
): CryptoReceiveAddressRecord {
  const record = addressRecordOf(exchange, address);
  return {
    address: record.address,
    currency: record.asset,
    walletId: record.account_id,
    networkId: String(record.network),
    createdAt: record.assigned_at,
    totalReceived: record.total_received,
    totalUnconfirmed: record.total_unconfirmed,
    receiveFee: record.receive_fee,
    metaData: record.address_meta,
    ...(record.name === '' ? {} : { name: record.name }),
  };
}

export function sendRecordOf(send: Send): CryptoSendRecord {
  return {
    id: send.id,
    currency: send.currency,
    walletId: send.accountId,
    targetAddress: send.address,
    createdAt: send.createdMs,
    updatedAt: send.updatedMs,
    amount: formatWireAmount(send.amount),
    fee: formatWireAmount(send.fee),
    status: send.status,
    ...(send.description === '' ? {} : { description: send.description }),
  };
}
