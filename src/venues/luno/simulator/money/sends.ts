/**
 * Sends of crypto. Amount and fee are reserved at once. A send to another user of the exchange is
 * free and arrives at once; any other send completes later.
 *
 *     PENDING ──▶ COMPLETED      to an address outside the exchange
 *     INVITED ──▶ COMPLETED      to an e-mail address, once a user has it
 */
import { type Amount, amountOf, formatWireAmount } from '../../../../domain/amount.ts';
import type { ParametersOf } from '../../api/operation.ts';
import type { Operations } from '../../api/operations.ts';
import type { Account } from '../core/account.ts';
import { schedule } from '../core/agenda.ts';
import type { Exchange } from '../core/exchange.ts';
import type { Handlers } from '../core/handler.ts';
import { moneyOf, mutableMoneyOf, type Send } from '../core/money-state.ts';
import { type CallContext, type Calls, change } from '../core/plan.ts';
import { type Refusal, refuse, refuseArguments } from '../core/refusal.ts';
import { refusalOf } from '../core/restrictions.ts';
import { accountOfCurrency, canPay, mayOpenAccount, shortageMessage } from './account-access.ts';
import { transactionIdOf } from './address-maker.ts';
import { receive } from './arrivals.ts';
import {
  networks as allNetworks,
  networkOf,
  networksOf,
  sendAmountMax,
  sendAmountMinOf,
  sendFeeOf,
  sendMs,
} from './money-terms.ts';
import { targetKindOf, wrongTagFields } from './send-target.ts';
import { addTransfer } from './transfers.ts';

type Parameters = ParametersOf<Operations['send']>;

export const sendCalls: Pick<Calls, 'send'> = {
  send: (parameters, context) => {
    const { exchange, user } = context;
    const { state } = exchange;
    const { currency, address, external_id: externalId = '' } = parameters;
    const amount = amountOf(parameters.amount);
    const refusal =
      refusalOfTerms(parameters, amount) ?? refusalOfRestrictions(parameters, context);
    if (refusal !== undefined) return refusal;
    const found = accountOfCurrency(context, currency, parameters.account_id);
    if (found.kind === 'refused') return found;
    const { account } = found;
    if (account.type !== 'TRANSACTIONAL')
      return refuse('ErrInvalidWalletType', `Cannot send from a ${account.type} account`);
    const receiverId = state.money.userIdByEmail.get(address.toLowerCase());
    if (receiverId !== undefined && accountOfUser(exchange, receiverId, currency) === undefined)
      return refuse('ErrAccountLimit', `The receiver can have no further ${currency} account`);
    const money = moneyOf(state.money, user.id);
    if (externalId !== '' && money.externalIds.has(externalId))
      return refuse('ErrDuplicateExternalID', 'A withdrawal with this external id exists');
    const active = [...money.pendingSendIds].map((id) => state.money.sends.get(id));
    if (active.some((other) => other?.currency === currency && other.status === 'PENDING'))
      return refuse('ErrActiveCryptoRequestExists', 'A send is pending, retry after completion');
    const fee = feeOf(exchange, currency, address);
    if (!canPay(account, amount + fee))
      return refuse('ErrInsufficientBalance', shortageMessage(account, amount + fee));
    return change(() => {
      const owned = mutableMoneyOf(state.money, user.id);
      if (externalId !== '') owned.externalIds.add(externalId);
      const send: Send = {
        id: exchange.nextId(),
        userId: user.id,
        accountId: account.id,
        currency,
        amount,
        fee,
        address,
        description: parameters.description ?? '',
        createdMs: exchange.timeMs,
        updatedMs: exchange.timeMs,
        status: 'PENDING',
      };
      state.money.sends.set(send.id, send);
      owned.pendingSendIds.add(send.id);
      start(exchange, send, account);
      return { success: true, withdrawal_id: send.id };
    });
  },
};

export const sendHandlers: Pick<Handlers, 'sendFee' | 'sendNetworks'> = {
  sendFee: ({ address, amount, currency }, { exchange }) => {
    if (amountOf(amount) === 0n)
      return refuse('ErrInvalidAmount', 'The amount must be more than zero');
    if (!networksOf(currency).some((network) => targetKindOf(address, network) !== 'invalid'))
      return refuseArguments(['address'], 'Invalid value provided for address');
    return { currency, fee: formatWireAmount(feeOf(exchange, currency, address)) };
  },

  sendNetworks: ({ currency }) => ({
    networks: (currency === undefined ? allNetworks : networksOf(currency)).map(
      ({ id, name, native }) => ({
        id,
        name,
        native_currency: native,
      }),
    ),
  }),
};

/** Completes a send to an outside address: the money leaves the exchange. */
export function completeSend(exchange: Exchange, id: string): void {
  const send = exchange.state.money.sends.get(id);
  if (send?.status !== 'PENDING') return;
  exchange.countDeposit(send.currency, -send.amount);
  exchange.collectFee(send.currency, send.fee);
  pay(exchange, send);
}

/** Sets the e-mail address of a user, and completes the open invitations to it. */
export function setEmail(exchange: Exchange, userId: string, email: string): void {
  const { money } = exchange.state;
  exchange.userOf(userId);
  money.userIdByEmail.set(email.toLowerCase(), userId);
  for (const send of money.sends.values()) {
    if (send.status !== 'INVITED' || send.address.toLowerCase() !== email.toLowerCase()) continue;
    // The invitation stays open if the user cannot have an account of the currency.
    const receiver = accountOfUser(exchange, userId, send.currency);
    if (receiver !== undefined) payWithin(exchange, send, receiver());
  }
}

/** Returns why the request itself is refused, or undefined. */
function refusalOfTerms(parameters: Parameters, amount: Amount): Refusal | undefined {
  const { currency } = parameters;
  if (amount === 0n) return refuse('ErrInvalidAmount', 'The amount must be more than zero');
  const network = networkOf(currency, parameters.network);
  const wrong = wrongTagFields(parameters);
  if (network === undefined) wrong.push('network');
  else if (targetKindOf(parameters.address, network) === 'invalid') wrong.push('address');
  if (wrong.length > 0)
    return refuseArguments(wrong, `One or more arguments are invalid: ${wrong.join(', ')}`);
  if (amount < sendAmountMinOf(currency))
    return refuse('ErrAmountTooSmall', 'The amount is below the minimum');
  if (amount > sendAmountMax) return refuse('ErrAmountTooBig', 'The amount is above the maximum');
  return undefined;
}

/** Returns the refusal that a restriction causes, or undefined. */
function refusalOfRestrictions(parameters: Parameters, context: CallContext): Refusal | undefined {
  const { state } = context.exchange;
  const { id } = context.user;
  return (
    refusalOf(state, 'low-verification', id) ??
    refusalOf(state, 'travel-rule', id) ??
    refusalOf(state, 'migrating-accounts', id) ??
    refusalOf(state, 'unverified-currency', `${id}/${parameters.currency}`) ??
    refusalOf(state, 'blocked-currency', parameters.currency) ??
    refusalOf(state, 'disallowed-target', parameters.address)
  );
}

function start(exchange: Exchange, send: Send, account: Account): void {
  const { money } = exchange.state;
  exchange.record(account, {
    reservedDelta: send.amount + send.fee,
    kind: 'TRANSFER',
    description: 'Reserved for a send',
    reference: send.id,
  });
  const receiver = receiverOf(exchange, send.currency, send.address);
  if (receiver !== undefined) payWithin(exchange, send, receiver());
  else if (targetKindOf(send.address, undefined) === 'email') {
    send.status = 'INVITED';
    mutableMoneyOf(money, send.userId).pendingSendIds.delete(send.id);
  } else schedule(exchange, sendMs, { kind: 'send', id: send.id });
}

function payWithin(exchange: Exchange, send: Send, receiver: Account): void {
  const txid = transactionIdOf(exchange.state.idSeed, send.id);
  pay(exchange, send);
  receive(exchange, receiver, { address: send.address, amount: send.amount, txid });
}

/** Debits the sender, with one row for the amount and one for the fee. */
function pay(exchange: Exchange, send: Send): void {
  const { money, idSeed } = exchange.state;
  const account = exchange.accountOf(send.accountId);
  const txid = transactionIdOf(idSeed, send.id);
  send.status = 'COMPLETED';
  send.updatedMs = exchange.timeMs;
  mutableMoneyOf(money, send.userId).pendingSendIds.delete(send.id);
  exchange.record(account, {
    balanceDelta: -send.amount,
    reservedDelta: -send.amount,
    kind: 'TRANSFER',
    description: send.description === '' ? `Sent ${send.currency}` : send.description,
    reference: send.id,
    crypto: { address: send.address, txid },
  });
  if (send.fee > 0n)
    exchange.record(account, {
      balanceDelta: -send.fee,
      reservedDelta: -send.fee,
      kind: 'FEE',
      description: 'Fee of a send',
      reference: send.id,
    });
  const { amount, fee } = send;
  addTransfer(exchange, account, { amount, fee, isInbound: false, transactionId: txid });
}

/**
 * Returns the receiving account if the target belongs to a user of the exchange. It is a function
 * because the account may have to be opened.
 */
function receiverOf(
  exchange: Exchange,
  currency: string,
  target: string,
): (() => Account) | undefined {
  const { money } = exchange.state;
  const address = money.addresses.get(target);
  if (address?.asset === currency) return () => exchange.accountOf(address.accountId);
  const userId = money.userIdByEmail.get(target.toLowerCase());
  if (userId === undefined) return undefined;
  return accountOfUser(exchange, userId, currency);
}

/**
 * Returns the account in which a user receives a currency, as a function because it may have to be
 * opened. Undefined if the user has no such account and cannot open one.
 */
function accountOfUser(
  exchange: Exchange,
  userId: string,
  currency: string,
): (() => Account) | undefined {
  const user = exchange.userOf(userId);
  const id = user.accountIds.get(currency);
  if (id !== undefined) return () => exchange.accountOf(id);
  if (!mayOpenAccount(exchange, user, currency)) return undefined;
  return () => exchange.openAccount(user, { currency, type: 'TRANSACTIONAL', name: currency });
}

/** Returns the fee of a send. Sends within the exchange and to e-mail addresses are free. */
function feeOf(exchange: Exchange, currency: string, target: string): Amount {
  const isWithin =
    receiverOf(exchange, currency, target) !== undefined ||
    targetKindOf(target, undefined) === 'email';
  return isWithin ? 0n : sendFeeOf(currency);
}
