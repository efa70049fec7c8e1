/** Builds Databento's files of order records. */

/** Returns one order record; times are in microseconds. The default price is DBN's "no price". */
export function dbnRecord(part: {
  readonly at: number;
  readonly id: number;
  readonly action: string;
  readonly side: string;
  readonly price?: number;
  readonly size: number;
  readonly flags?: number;
  readonly receivedAt?: number;
}): Buffer {
  const bytes = Buffer.alloc(56);
  bytes[0] = 14;
  bytes[1] = 0xa0;
  bytes.writeUInt32LE(7, 4);
  bytes.writeBigUInt64LE(BigInt(part.at) * 1_000n, 8);
  bytes.writeBigUInt64LE(BigInt(part.id), 16);
  const price = part.price === undefined ? 2n ** 63n - 1n : BigInt(Math.round(part.price * 1e9));
  bytes.writeBigInt64LE(price, 24);
  bytes.writeUInt32LE(part.size, 32);
  bytes[36] = part.flags ?? 128;
  bytes.write(part.action + part.side, 38, 'latin1');
  bytes.writeBigUInt64LE(BigInt(part.receivedAt ?? part.at + 250) * 1_000n, 40);
  return bytes;
}

/** Returns the beginning of a file: its metadata. */
export function dbnHead(): Buffer {
  const metadata = Buffer.alloc(100);
  metadata.write('TEST.DATA', 0, 'latin1');
  const head = Buffer.from('DBN\u0001\0\0\0\0', 'latin1');
  head.writeUInt32LE(metadata.length, 4);
  return Buffer.concat([head, metadata]);
}
