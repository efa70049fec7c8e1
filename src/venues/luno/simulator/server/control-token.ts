/**
 * The token of the control interface, in a file that only its owner can read. Whoever can read it
 * may control the exchange.
 */

import { createHash, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { writeAtomically } from '../../../../runtime/durable-file.ts';
import { randomToken } from '../../../../runtime/system-random.ts';

/** Returns the path of the token of the exchange in `folder`. */
export function controlTokenPath(folder: string): string {
  return join(folder, 'control-token');
}

/**
 * Creates a token and writes it to its file. Returns a function that checks an authorization
 * header.
 */
export function issueControlToken(folder: string): (authorization: string | undefined) => boolean {
  const token = randomToken(32);
  writeAtomically(controlTokenPath(folder), Buffer.from(`${token}\n`));
  const expected = digestOf(`Bearer ${token}`);
  // All digests have the same length, so the comparison does not reveal the length of the token.
  return (authorization) => timingSafeEqual(digestOf(authorization ?? ''), expected);
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
