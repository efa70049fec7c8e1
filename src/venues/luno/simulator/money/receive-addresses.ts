/** Addresses at which users receive crypto. */
import { formatWireAmount } from '../../../../domain/amount.ts';
import { limits } from '../../api/limits.ts';
import type { ReceiveAddressRecord } from '../../api/operations/address-operations.ts';
import type { Account } from '../core/account.ts';
import type { Exchange } from '../core/exchange.ts';
import type { Handlers } from '../core/handler.ts';
import { moneyOf, mutableMoneyOf, type ReceiveAddress } from '../core/money-state.ts';
import { type CallContext, type Calls, change } from '../core/plan.ts';
import { type Refusal, refuse, refuseArguments } from '../core/refusal.ts';
import { refusalOf } from '../core/restrictions.ts';
import { accountOfCurrency } from './account-access.ts';
import { createAddress } from './address-maker.ts';
import { isErc20, type Network, networkOf } from './money-terms.ts';

const noFee = '0.00';

export const receiveAddressCalls: Pick<Calls, 'createReceiveAddress'> = {
  createReceiveAddress: (parameters, context) => {
    const { exchange, user } = context;
    const { state } = exchange;
    const { asset, name = '' } = parameters;
    const network = networkOf(asset, parameters.network);
    if (network === undefined)
      return refuseArguments(['network'], `${asset} has no network ${parameters.network}`);
    const refusal =
      refusalOf(state, 'unverified-currency', `${user.id}/${asset}`) ??
      refusalOf(state, 'blocked-currency', asset);
    if (refusal !== undefined) return refusal;
    const found = accountOfCurrency(context, asset, parameters.account_id);
    if (found.kind === 'refused') return found;
    const fault = addressFault(context, found.account, network);
    if (fault !== undefined) return fault;
    const { addressCreationBurst: burst, addressCreationIntervalMs: intervalMs } = limits;
    const dueMs = Math.max(moneyOf(state.money, user.id).addressDueMs, exchange.timeMs);
    if (dueMs - exchange.timeMs > (burst - 1) * intervalMs)
      return refuse(
        'ErrAddressCreateRateLimitReached',
        `At most one address an hour, ${burst} at once`,
      );
    return change(() => {
      const money = mutableMoneyOf(state.money, user.id);
      const address: ReceiveAddress = {
        ...createAddress(state.idSeed, exchange.nextId(), { asset, network }),
        userId: user.id,
        accountId: found.account.id,
        asset,
        network: network.id,
        name,
        assignedMs: exchange.timeMs,
        totalReceived: 0n,
      };
      state.money.addresses.set(address.address, address);
      money.addresses.push(address);
      money.addressDueMs = dueMs + intervalMs;
      return addressRecordOf(exchange, address);
    });
  },
};

export const receiveAddressHandlers: Pick<Handlers, 'getReceiveAddress'> = {
  getReceiveAddress: ({ asset, address: wanted, network: given }, { exchange, user }) => {
    const network = networkOf(asset, given);
    if (network === undefined)
      return refuseArguments(['network'], `${asset} has no network ${given}`);
    const own = moneyOf(exchange.state.money, user().id).addresses.filter(
      (address) =>
        address.asset === asset &&
        (address.network === network.id || (given === undefined && wanted !== undefined)),
    );
    if (wanted !== undefined) {
      const address = own.find(({ address: text }) => text === wanted);
      return address === undefined
        ? refuse('ErrNotFound', 'No such address')
        : addressRecordOf(exchange, address);
    }
    const defaultId = user().accountIds.get(asset);
    const address = own.find(({ accountId }) => accountId === defaultId);
    if (address === undefined)
      return refuse('ErrNoAddressesAssigned', `The default ${asset} account has no address`);
    return addressRecordOf(exchange, address);
  },
};

/** Returns why the account cannot get another address on this network, or undefined if it can. */
function addressFault(
  { exchange, user }: CallContext,
  account: Account,
  network: Network,
): Refusal | undefined {
  const asset = account.currency;
  if (account.type !== 'TRANSACTIONAL')
    return isErc20(asset)
      ? refuse('ErrERC20NonTransactionalAccount', 'Tokens need a transactional account')
      : refuse('ErrUnsupportedWalletType', 'Addresses need a transactional account');
  const own = moneyOf(exchange.state.money, user.id).addresses.filter(
    (address) => address.asset === asset && address.network === network.id,
  );
  if (isErc20(asset) && own.length > 0)
    return refuse('ErrERC20AddressAlreadyAssigned', `${asset} has its only address already`);
  if (asset === 'ETH' && own.length >= limits.ethereumAddressesMax)
    return refuse('ErrAddressLimitReached', 'Only one Ethereum address can be made');
  return undefined;
}

/** Returns the record of an address, from which the answers of both APIs are made. */
export function addressRecordOf(exchange: Exchange, address: ReceiveAddress): ReceiveAddressRecord {
  let unconfirmed = 0n;
  for (const arrival of exchange.state.money.arrivals.values())
    if (arrival.address === address.address) unconfirmed += arrival.amount;
  return {
    account_id: address.accountId,
    address: address.address,
    address_meta: [{ label: 'Address', value: address.address }, ...address.meta],
    asset: address.asset,
    assigned_at: address.assignedMs,
    name: address.name,
    network: address.network,
    qr_code_uri: `${address.asset.toLowerCase()}:${address.address}`,
    receive_fee: noFee,
    total_received: formatWireAmount(address.totalReceived),
    total_unconfirmed: formatWireAmount(unconfirmed),
  };
}
