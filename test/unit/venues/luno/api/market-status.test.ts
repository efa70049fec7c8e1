/** Each spelling of a market's status is read, and a book is written as it is read. */
import { expect, test } from 'vitest';
import type { BookMessage, BookSnapshot } from '../../../../../src/domain/book-message.ts';
import { DecodeError } from '../../../../../src/domain/errors.ts';
import { marketFramesOf } from '../../../../../src/venues.ts';

const { decode, encode } = marketFramesOf('luno');

const shown = {
  ACTIVE: 'ACTIVE',
  POSTONLY: 'POST_ONLY',
  POST_ONLY: 'POST_ONLY',
  SUSPENDED: 'SUSPENDED',
  DISABLED: 'DISABLED',
  HALTED_BY_MOON: 'UNKNOWN',
};

test.each(Object.entries(shown))('M14: the status %s is read as %s', (spelling, status) => {
  const timestamp = 1_795_176_000_000;
  const quick = { sequence: '2', status_update: { status: spelling }, timestamp };
  // The quick decoder leaves a sequence of this length to the schema.
  const slow = { ...quick, sequence: '1234567890123456789' };
  for (const frame of [quick, slow])
    expect(decode(JSON.stringify(frame))).toMatchObject({ kind: 'update', update: { status } });
  const book = { sequence: '1', asks: [], bids: [], status: spelling, timestamp };
  expect(decode(JSON.stringify(book))).toMatchObject({ kind: 'snapshot', snapshot: { status } });
});

test.each(['ACTIVE', 'POST_ONLY', 'SUSPENDED', 'DISABLED', 'UNKNOWN'] as const)(
  'a book of a market that is %s is read back as it was',
  (status) => {
    const snapshot: BookSnapshot = {
      ...{ sequence: '9007199254740993', status, timestamp: 1_795_176_000_000 },
      asks: [{ id: 'A1', price: '1001.00', volume: '0.5' }],
      bids: [{ id: 'B1', price: '999.00', volume: '1' }],
    };
    const read: BookMessage = { kind: 'snapshot', snapshot };
    expect(decode(encode(snapshot))).toEqual(read);
  },
);

test('frames of an unknown protocol are refused by its name', () => {
  expect(() => marketFramesOf('kraken')).toThrow(DecodeError);
  expect(() => marketFramesOf('kraken')).toThrow('protocol "kraken", which must be one of: luno');
});
