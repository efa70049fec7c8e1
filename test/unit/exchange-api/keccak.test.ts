/**
 * Keccak-256 and its checksums, compared with published values and with node's SHA3, which differs
 * only in the padding.
 */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  checksummedAddress,
  isChecksummedAddress,
} from '../../../src/exchange-api/ethereum-address.ts';
import { keccak256 } from '../../../src/exchange-api/keccak.ts';

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const digestOf = (text: string): string => hexOf(keccak256(new TextEncoder().encode(text)));

describe('keccak-256', () => {
  test.each([
    ['', 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
    ['abc', '4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45'],
    [
      'The quick brown fox jumps over the lazy dog',
      '4d741b6f1eb29cb2a9b9911c82f56fa8d73b04959d3d9d222895df6c0b28aa15',
    ],
  ])('of "%s" is the published digest', (text, digest) => {
    expect(digestOf(text)).toBe(digest);
  });

  test.each([0, 1, 7, 8, 134, 135, 136, 137, 271, 272, 273, 1000])(
    "padded as SHA3-256 is node's SHA3-256 of %i bytes, and unlike it otherwise",
    (length) => {
      const bytes = Uint8Array.from({ length }, (_, index) => (index * 131 + length) % 256);
      const sha3 = createHash('sha3-256').update(bytes).digest('hex');
      expect(hexOf(keccak256(bytes, 6))).toBe(sha3);
      expect(hexOf(keccak256(bytes))).not.toBe(sha3);
    },
  );
});

// The examples of EIP-55.
const examples = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
];

describe('a checksummed address', () => {
  test.each(examples)('%s is created and recognised', (address) => {
    expect(checksummedAddress(address.slice(2).toLowerCase())).toBe(address);
    expect(isChecksummedAddress(address)).toBe(true);
  });

  test.each([
    ['one letter in the wrong case', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'],
    ['all letters small', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
    ['a digit changed', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAee'],
    ['a digit too few', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe'],
    ['no 0x', '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['not hexadecimal', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeg'],
  ])('is not one with %s', (_, address) => {
    expect(isChecksummedAddress(address)).toBe(false);
  });
});
