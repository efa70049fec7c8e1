/** The travel-rule check of addresses: which combinations of fields are valid. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  bitcoinAddress,
  ethereumAddress,
  expectInOrder,
  type MoneyExchange,
  moneyExchange,
  rippleAddress,
} from '../../../../support/money-exchange.ts';

let exchange: MoneyExchange;
beforeEach(() => {
  exchange = moneyExchange();
});
afterEach(() => expectInOrder(exchange));

type Values = Readonly<Record<string, string>>;

const validate = (values: Values) =>
  exchange.desk.post('/api/1/address/validate', {
    address: bitcoinAddress,
    currency: 'XBT',
    ...values,
  });

const self = { is_self_send: 'true' };
const person = {
  beneficiary_name: 'Jane Doe',
  nationality: 'ZA',
  country: 'GB',
  date_of_birth: '1990-02-28',
};
const entity = { is_legal_entity: 'true', institution_name: 'Mint', country: 'ZA' };
const without = (values: Values, name: string): Values =>
  Object.fromEntries(Object.entries(values).filter(([key]) => key !== name));

describe('is accepted', () => {
  test.each<[string, Values]>([
    ['a send to oneself', self],
    [
      'a send to oneself with false flags, as Go clients send them',
      {
        ...self,
        is_private_wallet: 'false',
        is_legal_entity: 'false',
        wallet_name: '',
        country: '',
      },
    ],
    ['a person', person],
    [
      'a person with wallet and postal address',
      {
        ...person,
        is_self_send: 'false',
        is_private_wallet: 'true',
        wallet_name: 'Cold',
        physical_address: '1 Long Street',
        address_name: 'Jane',
      },
    ],
    ['a legal entity', entity],
    ['an e-mail address', { ...self, address: 'jane@example.com' }],
    ['an Ethereum address with checksum', { ...self, currency: 'ETH', address: ethereumAddress }],
    [
      'a memo',
      { ...self, currency: 'ATOM', address: 'cosmos1vqpjljwsynsn58dugz0w8ut7kun', memo: '7' },
    ],
    [
      'an XRP address without a tag',
      {
        ...self,
        currency: 'XRP',
        address: rippleAddress,
        has_destination_tag: 'false',
      },
    ],
    [
      'an XRP address with the tag zero',
      {
        ...self,
        currency: 'XRP',
        address: rippleAddress,
        has_destination_tag: 'true',
        destination_tag: '0',
      },
    ],
    [
      'an address of a network that is not the default one of its currency',
      { ...self, currency: 'USDT', address: 'TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC' },
    ],
    ['an address without a currency', { ...self, currency: '' }],
  ])('%s', (_, values) => {
    expect(validate(values)).toEqual({ success: true });
  });
});

describe('lists the invalid fields of', () => {
  test.each<[string, Values, readonly string[]]>([
    [
      'a send to oneself that names a person',
      { ...self, ...person },
      ['beneficiary_name', 'country', 'nationality', 'date_of_birth'],
    ],
    [
      'a send to oneself with a private wallet',
      { ...self, is_private_wallet: 'true' },
      ['is_private_wallet'],
    ],
    [
      'a send to an unnamed person',
      {},
      ['beneficiary_name', 'nationality', 'date_of_birth', 'country'],
    ],
    ...Object.keys(person).map((name): [string, Values, readonly string[]] => [
      `a person without ${name}`,
      without(person, name),
      [name],
    ]),
    ['a person with an institution', { ...person, institution_name: 'Mint' }, ['institution_name']],
    ['a legal entity without country', without(entity, 'country'), ['country']],
    ['a legal entity without name', without(entity, 'institution_name'), ['institution_name']],
    [
      'a legal entity with a birthday',
      { ...entity, date_of_birth: '1990-02-28' },
      ['date_of_birth'],
    ],
    ['a legal entity with a nationality', { ...entity, nationality: 'ZA' }, ['nationality']],
    [
      'a legal entity with a beneficiary',
      { ...entity, beneficiary_name: 'J' },
      ['beneficiary_name'],
    ],
    ['an unknown country', { ...person, country: 'XX' }, ['country']],
    [
      'a nationality that is not a country code',
      { ...person, nationality: 'zaf' },
      ['nationality'],
    ],
    ['a date that does not exist', { ...person, date_of_birth: '1990-02-30' }, ['date_of_birth']],
    ['a date in the future', { ...person, date_of_birth: '2027-01-01' }, ['date_of_birth']],
    ['a date in another format', { ...person, date_of_birth: '28.02.1990' }, ['date_of_birth']],
    ['no address', { ...self, address: '' }, ['address']],
    ['an address with blanks', { ...self, address: 'here and there' }, ['address']],
    [
      'an Ethereum address without checksum',
      {
        ...self,
        currency: 'ETH',
        address: ethereumAddress.toLowerCase(),
      },
      ['address'],
    ],
    [
      'an e-mail address for Ethereum',
      { ...self, currency: 'ETH', address: 'a@b.co' },
      ['address'],
    ],
    [
      'XRP without a tag flag',
      { ...self, currency: 'XRP', address: rippleAddress },
      ['has_destination_tag'],
    ],
    [
      'a tag without its flag',
      {
        ...self,
        currency: 'XRP',
        address: rippleAddress,
        has_destination_tag: 'false',
        destination_tag: '7',
      },
      ['has_destination_tag'],
    ],
    [
      'a tag flag without a tag',
      {
        ...self,
        currency: 'XRP',
        address: rippleAddress,
        has_destination_tag: 'true',
      },
      ['destination_tag'],
    ],
    [
      'a tag of more than 32 bits',
      {
        ...self,
        currency: 'XRP',
        address: rippleAddress,
        has_destination_tag: 'true',
        destination_tag: '4294967296',
      },
      ['destination_tag'],
    ],
    [
      'a tag for bitcoin',
      { ...self, has_destination_tag: 'true', destination_tag: '1' },
      ['has_destination_tag'],
    ],
    ['a memo for bitcoin', { ...self, memo: '7' }, ['memo']],
    ['an unknown type', { ...self, type: 'both' }, ['type']],
  ])('%s', (_, values, fields) => {
    const answer = validate(values);
    expect(answer['error_code']).toBe('ErrInvalidArguments');
    expect([...((answer['fields'] ?? []) as unknown as string[])].sort()).toEqual(
      [...fields].sort(),
    );
  });
});

test('a target that is not allowed, and a user who is not verified, are refused', () => {
  exchange.restrict('disallowed-target', bitcoinAddress);
  expect(validate(self)['error_code']).toBe('ErrDisallowedTarget');
  exchange.restrict('low-verification', 'desk');
  expect(validate(self)['error_code']).toBe('ErrVerificationLevelTooLow');
});
