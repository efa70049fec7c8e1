/** Creates receive addresses and sends crypto, by the rules of the exchange API. */
import { amountOf } from '../../../../domain/amount.ts';
import { assert } from '../../../../domain/errors.ts';
import { limits } from '../../api/limits.ts';
import type { ParametersOf } from '../../api/operation.ts';
import type { Operations } from '../../api/operations.ts';
import { characterCount } from '../../api/parameter.ts';
import { isEmail } from '../../api/wallet/scalars.ts';
import type { Exchange } from '../core/exchange.ts';
import type { User } from '../core/exchange-state.ts';
import { moneyOf } from '../core/money-state.ts';
import type { CallContext, Calls } from '../core/plan.ts';
import { type Refusal, refuse, refuseArguments } from '../core/refusal.ts';
import { refusalOf } from '../core/restrictions.ts';
import { networkOf, networksOf, tagCurrency } from '../money/money-terms.ts';
import { receiveAddressCalls } from '../money/receive-addresses.ts';
import { tagMax, targetKindOf } from '../money/send-target.ts';
import { sendCalls } from '../money/sends.ts';
import { receiveAddressRecordOf, sendRecordOf } from './crypto-records.ts';
import { mapPlan } from './map-plan.ts';
import { walletOf } from './wallet-handlers.ts';

type SendParameters = ParametersOf<Operations['createCryptoSend']>;

export const cryptoCalls: Pick<Calls, 'createCryptoReceiveAddress' | 'createCryptoSend'> = {
  createCryptoReceiveAddress: ({ currency, name, networkId, walletId }, context) => {
    const { exchange, user } = context;
    const networks = networksOf(currency).map(({ id }) => String(id));
    if (networkId !== undefined && !networks.includes(networkId))
      return refuse('ErrInvalidNetworkId', `${currency} has the networks ${networks.join(', ')}`);
    const refusal = refusalOfWallet(exchange, user, { walletId, currency });
    if (refusal !== undefined) return refusal;
    const request = { asset: currency, name, account_id: walletId, network: networkId };
    return mapPlan(receiveAddressCalls.createReceiveAddress(request, context), (created) => {
      const address = exchange.state.money.addresses.get(created.address);
      assert(address !== undefined, `address ${created.address} must have been created`);
      return receiveAddressRecordOf(exchange, address);
    });
  },

  createCryptoSend: (parameters, context) => {
    const refusal =
      refusalOfSend(parameters) ??
      refusalOfWallet(context.exchange, context.user, parameters) ??
      refusalOfRestrictions(parameters, context);
    if (refusal !== undefined) return refusal;
    const request = {
      currency: parameters.currency,
      amount: parameters.amount,
      address: parameters.address,
      description: parameters.description,
      external_id: parameters.externalId,
      account_id: parameters.walletId,
      has_destination_tag: parameters.destinationTag === undefined ? undefined : true,
      destination_tag: parameters.destinationTag,
      is_forex_send: parameters.isForex,
      forex_notice_self_declaration: parameters.forexNoticeSelfDeclaration,
    };
    return mapPlan(sendCalls.send(request, context), ({ withdrawal_id: id }) => {
      const send = context.exchange.state.money.sends.get(id);
      assert(send !== undefined, `send ${id} must have been created`);
      return sendRecordOf(send);
    });
  },
};

/** Returns why the target of a send or an estimate is refused, or undefined. */
export function refusalOfTarget({
  address,
  amount,
  currency,
}: Pick<SendParameters, 'address' | 'amount' | 'currency'>): Refusal | undefined {
  if (amountOf(amount) === 0n)
    return refuse('ErrAmountTooSmall', 'The amount must be more than zero');
  // The documentation shows no fields for social sends, but an e-mail address as target can only
  // mean one.
  if (isEmail(address)) return refuse('ErrSocialSendsDisabled', 'Social sends are disabled');
  if (targetKindOf(address, networkOf(currency, undefined)) !== 'address')
    return refuse('ErrInvalidAddress', `Not an address of ${currency}`);
  return undefined;
}

function refusalOfSend(parameters: SendParameters): Refusal | undefined {
  const { currency, description, destinationTag: tag } = parameters;
  const { descriptionLengthMax } = limits;
  if (characterCount(description ?? '') > descriptionLengthMax)
    return refuseArguments(
      ['description'],
      `description may have at most ${descriptionLengthMax} characters`,
    );
  if (tag !== undefined && (currency !== tagCurrency || BigInt(tag) > tagMax))
    return refuse('ErrInvalidDestinationTag', `Only ${tagCurrency} has tags, of 32 bits`);
  return refusalOfTarget(parameters);
}

/** Returns why the named wallet cannot be used for the currency, or undefined. */
function refusalOfWallet(
  exchange: Exchange,
  user: User,
  { walletId, currency }: { readonly walletId?: string | undefined; readonly currency: string },
): Refusal | undefined {
  if (walletId === undefined) return undefined;
  const wallet = walletOf(exchange, user, walletId);
  if ('code' in wallet) return wallet;
  if (wallet.currency === currency) return undefined;
  return refuse('ErrInvalidRequest', `The wallet holds ${wallet.currency}, not ${currency}`);
}

/** Returns the refusal of a restriction that only the wallet API checks, or undefined. */
function refusalOfRestrictions(
  parameters: SendParameters,
  { exchange: { state }, user }: CallContext,
): Refusal | undefined {
  const { address, isForex, forexNoticeSelfDeclaration: isDeclared } = parameters;
  const isUndeclared = isForex === true && isDeclared !== true;
  if (isUndeclared && refusalOf(state, 'forex-limit-exceeded', user.id) !== undefined)
    return refuseArguments(
      ['forexNoticeSelfDeclaration'],
      'forexNoticeSelfDeclaration must be true: the yearly foreign-asset limit is exceeded',
    );
  const isKnown = moneyOf(state.money, user.id).addressBook.has(address);
  return (
    refusalOf(state, 'blocked-user', user.id) ??
    (isKnown ? undefined : refusalOf(state, 'address-book-only', user.id))
  );
}
