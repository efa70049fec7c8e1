/** Ethereum addresses whose checksum is in the case of their letters (EIP-55). */
import { keccak_256 } from '@noble/hashes/sha3.js';

/**
 * Returns 20 bytes in hexadecimal, without `0x`, as a checksummed address: a letter is a capital if
 * the digit at its place in the hash of the lower-case text is 8 or more.
 */
export function checksummedAddress(hexadecimal: string): string {
  const lower = hexadecimal.toLowerCase();
  const hash = keccak_256(new TextEncoder().encode(lower));
  let address = '0x';
  for (const [index, digit] of [...lower].entries()) {
    const byte = hash[index >> 1] ?? 0;
    const nibble = index % 2 === 0 ? byte >> 4 : byte & 15;
    address += nibble >= 8 ? digit.toUpperCase() : digit;
  }
  return address;
}

/** Returns whether `text` is an Ethereum address with the right checksum. */
export function isChecksummedAddress(text: string): boolean {
  return /^0x[0-9a-fA-F]{40}$/u.test(text) && checksummedAddress(text.slice(2)) === text;
}
