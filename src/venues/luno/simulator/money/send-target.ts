/**
 * Checks that a currency can be sent to a target, which is a crypto address or an e-mail address.
 */
import { isChecksummedAddress } from '../../api/ethereum-address.ts';
import { isEmail } from '../../api/wallet/scalars.ts';
import { isEthereum, memoCurrencies, type Network, tagCurrency } from './money-terms.ts';

const addressPattern = /^[A-Za-z0-9][A-Za-z0-9:_.-]{9,127}$/u;
/** Destination tags have 32 bits. */
export const tagMax = 4_294_967_295n;

export type TargetKind = 'email' | 'address' | 'invalid';

/** Returns the kind of a target. Without a network, an address of any network is valid. */
export function targetKindOf(target: string, network: Network | undefined): TargetKind {
  if (isEmail(target)) return isEthereum(network) ? 'invalid' : 'email';
  const isValid =
    isEthereum(network) || target.startsWith('0x')
      ? isChecksummedAddress(target)
      : addressPattern.test(target);
  return isValid ? 'address' : 'invalid';
}

export type TagParameters = {
  readonly currency?: string | undefined;
  readonly has_destination_tag?: boolean | undefined;
  readonly destination_tag?: string | undefined;
  readonly memo?: string | undefined;
};

/** Returns the names of the tag and memo parameters that are invalid. */
export function wrongTagFields(parameters: TagParameters): string[] {
  const { currency, has_destination_tag: hasTag, destination_tag: tag, memo } = parameters;
  const wrong: string[] = [];
  const hasTags = currency === undefined || currency === tagCurrency;
  if (hasTag === true && !hasTags) wrong.push('has_destination_tag');
  // Some clients send a tag of zero without the flag if there is no tag.
  if (hasTag !== true && tag !== undefined && tag !== '0') wrong.push('has_destination_tag');
  if (hasTag === true && (tag === undefined || BigInt(tag) < 0n || BigInt(tag) > tagMax))
    wrong.push('destination_tag');
  if (memo !== undefined && currency !== undefined && !memoCurrencies.includes(currency))
    wrong.push('memo');
  return wrong;
}
