/**
 * Networks, fees, smallest and largest amounts, and durations. All values are ours: the
 * documentation shows none.
 */
import { type Amount, amountOf } from '../../../../domain/amount.ts';

export type Network = { readonly id: number; readonly name: string; readonly native: string };

/** Ethereum is 0 at the real exchange. The other numbers are ours. */
export const networks: readonly Network[] = [
  { id: 0, name: 'Ethereum', native: 'ETH' },
  { id: 1, name: 'Bitcoin', native: 'XBT' },
  { id: 2, name: 'Tron', native: 'TRX' },
  { id: 3, name: 'Solana', native: 'SOL' },
  { id: 4, name: 'XRP Ledger', native: 'XRP' },
  { id: 5, name: 'Litecoin', native: 'LTC' },
  { id: 6, name: 'Bitcoin Cash', native: 'BCH' },
  { id: 7, name: 'Dogecoin', native: 'DOGE' },
  { id: 8, name: 'Stellar', native: 'XLM' },
  { id: 9, name: 'Cosmos Hub', native: 'ATOM' },
  { id: 10, name: 'Cardano', native: 'ADA' },
  { id: 11, name: 'Algorand', native: 'ALGO' },
  { id: 12, name: 'Avalanche C-Chain', native: 'AVAX' },
  { id: 13, name: 'Polkadot', native: 'DOT' },
  { id: 14, name: 'NEAR', native: 'NEAR' },
];

const ethereumId = 0;

/** Networks of tokens in addition to their default network, Ethereum. */
const otherNetworks: Readonly<Record<string, readonly number[]>> = { USDT: [2], USDC: [3] };

/** Returns the networks of a crypto currency, the default one first. */
export function networksOf(currency: string): readonly Network[] {
  const own = networks.filter(({ native }) => native === currency);
  if (own.length > 0) return own;
  const ids = [ethereumId, ...(otherNetworks[currency] ?? [])];
  return ids.flatMap((id) => networks.filter((network) => network.id === id));
}

/**
 * Returns the network that a parameter names. The default network is used if there is no parameter,
 * and also for 0 if the currency has no network 0, because some clients always send 0. Undefined if
 * there is no such network.
 */
export function networkOf(currency: string, given: string | undefined): Network | undefined {
  const all = networksOf(currency);
  if (given === undefined) return all[0];
  return all.find(({ id }) => String(id) === given) ?? (given === '0' ? all[0] : undefined);
}

/** Returns whether the addresses of this network are Ethereum's, which have a checksum. */
export function isEthereum(network: Network | undefined): boolean {
  return network?.id === ethereumId;
}

/** Returns whether the currency is a token on Ethereum. */
export function isErc20(currency: string): boolean {
  return currency !== 'ETH' && isEthereum(networksOf(currency)[0]);
}

/** Currencies whose addresses have a tag, or a memo. */
export const tagCurrency = 'XRP';
export const memoCurrencies: readonly string[] = ['ATOM', 'XLM'];

const sendFees: Readonly<Record<string, string>> = { XBT: '0.00005', ETH: '0.0005', XRP: '0.2' };
const sendAmountsMin: Readonly<Record<string, string>> = { XBT: '0.00001', ETH: '0.0001' };

/** Returns the fee of a send that leaves the exchange. */
export function sendFeeOf(currency: string): Amount {
  return amountOf(sendFees[currency] ?? '0.01');
}

export function sendAmountMinOf(currency: string): Amount {
  return amountOf(sendAmountsMin[currency] ?? '0.001');
}

export const sendAmountMax: Amount = amountOf('1000000000');

export const withdrawalTerms = {
  amountMin: amountOf('10'),
  amountMax: amountOf('10000000'),
  /** Banks accept no more decimals. */
  decimalsMax: 2,
  fee: amountOf('5'),
  fastFee: amountOf('30'),
  activeMax: 5,
  pendingMs: 60_000,
  processingMs: 60_000,
  fastPendingMs: 2_000,
  fastProcessingMs: 3_000,
} as const;

export const sendMs = 2_000;
export const confirmationMs = 10_000;
export const confirmationsNeeded = 3;
