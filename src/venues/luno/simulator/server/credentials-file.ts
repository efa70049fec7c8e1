/**
 * The API keys that a simulated exchange issues on its first start, in a file that only its owner
 * can read.
 *
 *     {"api_key_id":"sim_…","api_key_secret":"…",
 *      "read_only":{"api_key_id":"sim_…","api_key_secret":"…"},
 *      "full":{"api_key_id":"sim_…","api_key_secret":"…"}}
 *
 * The first key has the permissions that a bot needs, the second only reads, and the third has all
 * permissions.
 */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod';
import { StoreError } from '../../../../domain/errors.ts';
import { attempt, writeAtomically } from '../../../../runtime/durable-file.ts';
import { randomToken } from '../../../../runtime/system-random.ts';
import { streamCredentials } from '../../api/market-messages.ts';

const credentialsFile = streamCredentials.extend({
  read_only: streamCredentials,
  // Files of earlier versions have no such key. It is added at the next start.
  full: streamCredentials.optional(),
});
type StoredCredentials = z.output<typeof credentialsFile>;
export type IssuedCredentials = StoredCredentials & {
  readonly full: z.output<typeof streamCredentials>;
};

/** Returns the path of the keys of the exchange in `folder`. */
export function credentialsPath(folder: string): string {
  return join(folder, 'credentials.json');
}

/** Returns the keys of the exchange in `folder`. Creates and stores those that are missing. */
export function issueCredentials(folder: string): IssuedCredentials {
  const path = credentialsPath(folder);
  const stored = existsSync(path) ? readCredentials(folder) : undefined;
  if (stored?.full !== undefined) return { ...stored, full: stored.full };
  const issued = { ...(stored ?? { ...newKey(), read_only: newKey() }), full: newKey() };
  writeAtomically(path, Buffer.from(`${JSON.stringify(issued, undefined, 2)}\n`));
  return issued;
}

/** Returns the stored keys. Throws {@link StoreError} if the file is missing or damaged. */
export function readCredentials(folder: string): StoredCredentials {
  const path = credentialsPath(folder);
  const text = attempt(path, () => readFileSync(path, 'utf8'));
  // The error never quotes the text, because it contains secrets.
  const result = credentialsFile.safeParse(attempt(path, () => parse(text)));
  if (!result.success) throw new StoreError(`${path}: not a credentials file`);
  return result.data;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function newKey(): z.output<typeof streamCredentials> {
  return { api_key_id: `sim_${randomToken(10)}`, api_key_secret: randomToken(32) };
}
