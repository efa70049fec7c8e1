/**
 * Creates addresses and transaction ids that look like those of the real networks but belong to
 * none. Only Ethereum addresses have a valid checksum, because the API requires it.
 */
import { createHash } from 'node:crypto';
import { checksummedAddress } from '../../api/ethereum-address.ts';
import type { ReceiveAddress } from '../core/money-state.ts';
import { isEthereum, type Network, tagCurrency } from './money-terms.ts';

const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const addressLength = 34;

/** Returns a new address. The same seed and id give the same address. */
export function createAddress(
  seed: bigint,
  id: string,
  terms: { readonly asset: string; readonly network: Network },
): Pick<ReceiveAddress, 'address' | 'meta'> {
  const digest = createHash('sha256').update(`address ${seed} ${id}`).digest();
  if (isEthereum(terms.network))
    return { address: checksummedAddress(digest.toString('hex', 0, 20)), meta: [] };
  let number = BigInt(`0x${digest.toString('hex')}`);
  let address = terms.network.native[0] ?? '';
  while (address.length < addressLength) {
    address += base58[Number.parseInt((number % 58n).toString(), 10)];
    number /= 58n;
  }
  const tag = digest.readUInt32BE(28).toString();
  return {
    address,
    meta: terms.asset === tagCurrency ? [{ label: 'XRP Tag', value: tag }] : [],
  };
}

/** Returns the id of a transaction on its network, as 64 hexadecimal digits. */
export function transactionIdOf(seed: bigint, id: string): string {
  return createHash('sha256').update(`transaction ${seed} ${id}`).digest('hex');
}
