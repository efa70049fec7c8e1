/**
 * The travel-rule check: it names the beneficiary of a send, or the originator of a quarantined
 * deposit. If it passes, the target is added to the address book, or the deposit is released.
 */
import { countryCodes } from '../../api/countries.ts';
import type { ParametersOf } from '../../api/operation.ts';
import type { Operations } from '../../api/operations.ts';
import type { Exchange } from '../core/exchange.ts';
import { mutableMoneyOf } from '../core/money-state.ts';
import { type Calls, change } from '../core/plan.ts';
import { refuse, refuseArguments } from '../core/refusal.ts';
import { refusalOf } from '../core/restrictions.ts';
import { releaseArrival } from './arrivals.ts';
import { networksOf, tagCurrency } from './money-terms.ts';
import { targetKindOf, wrongTagFields } from './send-target.ts';

type Parameters = ParametersOf<Operations['validateAddress']>;

export const validationCalls: Pick<Calls, 'validateAddress'> = {
  validateAddress: (parameters, { exchange, user }) => {
    const { state } = exchange;
    const isReceive = parameters.type === 'receive';
    const wrong = [
      ...(isReceive ? wrongReceiveFields(parameters) : wrongSendFields(parameters)),
      ...wrongPersonFields(parameters, exchange.timeMs),
    ];
    if (wrong.length > 0)
      return refuseArguments(
        [...new Set(wrong)],
        `One or more arguments are invalid: ${[...new Set(wrong)].join(', ')}`,
      );
    const refusal = refusalOf(state, 'low-verification', user.id);
    if (refusal !== undefined) return refusal;
    if (isReceive) {
      const arrival = state.money.arrivals.get(parameters.payment_id ?? '');
      if (arrival === undefined || exchange.accountOf(arrival.accountId).userId !== user.id)
        return refuse('ErrNotFound', 'No such pending deposit');
      return change(() => {
        releaseArrival(exchange, arrival.id);
        return { success: true };
      });
    }
    const address = parameters.address ?? '';
    const disallowed = refusalOf(state, 'disallowed-target', address);
    if (disallowed !== undefined) return disallowed;
    return change(() => {
      rememberTarget(exchange, user.id, address, parameters.address_name ?? '');
      return { success: true };
    });
  },
};

function rememberTarget(exchange: Exchange, userId: string, address: string, name: string): void {
  mutableMoneyOf(exchange.state.money, userId).addressBook.set(address, name);
}

function wrongReceiveFields(parameters: Parameters): string[] {
  return parameters.payment_id === undefined ? ['payment_id'] : [];
}

function wrongSendFields(parameters: Parameters): string[] {
  const { address, currency } = parameters;
  const wrong = wrongTagFields(parameters);
  // The request names no network, so an address of any network of the currency is valid.
  const networks = currency === undefined ? [undefined] : networksOf(currency);
  const isValid = networks.some(
    (network) => address !== undefined && targetKindOf(address, network) !== 'invalid',
  );
  if (!isValid) wrong.push('address');
  if (currency === tagCurrency && parameters.has_destination_tag === undefined)
    wrong.push('has_destination_tag');
  return wrong;
}

/** Fields that are empty in a send to oneself. A false flag counts as empty. */
const otherFields = [
  'is_private_wallet',
  'wallet_name',
  'beneficiary_name',
  'institution_name',
  'physical_address',
  'is_legal_entity',
  'country',
  'nationality',
  'date_of_birth',
] as const satisfies readonly (keyof Parameters)[];

type OtherField = (typeof otherFields)[number];

/** Fields that each kind of beneficiary must fill, and must leave empty. */
const rules: Readonly<
  Record<'self' | 'entity' | 'person', Readonly<Record<'filled' | 'empty', readonly OtherField[]>>>
> = {
  self: { filled: [], empty: otherFields },
  entity: {
    filled: ['institution_name', 'country'],
    empty: ['beneficiary_name', 'nationality', 'date_of_birth'],
  },
  person: {
    filled: ['beneficiary_name', 'nationality', 'date_of_birth', 'country'],
    empty: ['institution_name'],
  },
};

/** Returns the fields about the other party that are missing, not allowed or invalid. */
function wrongPersonFields(parameters: Parameters, nowMs: number): string[] {
  const kind = parameters.is_legal_entity === true ? 'entity' : 'person';
  const rule = rules[parameters.is_self_send === true ? 'self' : kind];
  const isFilled = (field: OtherField): boolean =>
    parameters[field] !== undefined && parameters[field] !== false;
  const wrong: OtherField[] = [
    ...rule.filled.filter((field) => !isFilled(field)),
    ...rule.empty.filter(isFilled),
  ];
  for (const field of ['country', 'nationality'] as const)
    if (isFilled(field) && !countryCodes.includes(parameters[field] ?? '')) wrong.push(field);
  const { date_of_birth: birth } = parameters;
  if (birth !== undefined && !isPastDate(birth, nowMs)) wrong.push('date_of_birth');
  return wrong;
}

/** Returns whether the text is a valid date and not in the future. */
function isPastDate(text: string, nowMs: number): boolean {
  const timeMs = Date.parse(`${text}T00:00:00Z`);
  return timeMs < nowMs && new Date(timeMs).toISOString().startsWith(text);
}
