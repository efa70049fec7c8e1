/** Who may control a simulated exchange: whoever can read a file that only its owner can. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { randomToken } from '../../runtime/system-random.ts';
import { writeWhole } from './state-folder.ts';

/** Returns where the token of the exchange in `folder` is. */
export function controlTokenPath(folder: string): string {
  return join(folder, 'control-token');
}

/** Makes a new token, writes it to its file and returns whether an authorization header has it. */
export function issueControlToken(folder: string): (authorization: string | undefined) => boolean {
  const token = randomToken(32);
  writeWhole(controlTokenPath(folder), Buffer.from(`${token}\n`));
  const expected = digestOf(`Bearer ${token}`);
  // Digests are of one length, so that the comparison tells nothing of the text's.
  return (authorization) => timingSafeEqual(digestOf(authorization ?? ''), expected);
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
