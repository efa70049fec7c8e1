/** Checksums of Ethereum addresses, compared with published ones. */
import { describe, expect, test } from 'vitest';
import {
  checksummedAddress,
  isChecksummedAddress,
} from '../../../../../src/venues/luno/api/ethereum-address.ts';

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
