/** Where a bot's key comes from, and the error if there is none. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { credentialsOf } from '../../../src/bot/keys/bot-credentials.ts';
import { simulatorFolder } from '../../../src/bot/state-place.ts';
import { NotFoundError } from '../../../src/domain/errors.ts';
import {
  type IssuedCredentials,
  issueCredentials,
} from '../../../src/venues/luno/simulator/server/credentials-file.ts';

let home = '';

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'millrace-'));
});

afterEach(() => rmSync(home, { recursive: true }));

test('a demo uses the key that the simulated exchange of its home has issued', () => {
  const issued = issueIn(home);
  expect(credentialsOf({}, 'demo', home)).toEqual({
    keyId: issued.api_key_id,
    keySecret: issued.api_key_secret,
  });
});

test('a home without a simulated exchange is an error that names the fix', () => {
  const ask = (): unknown => credentialsOf({}, 'demo', home);
  expect(ask).toThrow(NotFoundError);
  expect(ask).toThrow(`no simulated exchange in ${home}, whose key a demo uses: give the home`);
});

test('live mode takes its key only from the environment', () => {
  issueIn(home);
  expect(() => credentialsOf({}, 'live', home)).toThrow(/^no API key: set MILLRACE_API_KEY_ID_/u);
  const environment = { MILLRACE_API_KEY_ID: 'a', MILLRACE_API_KEY_SECRET: 'eight-or-more' };
  expect(credentialsOf(environment, 'live', home)).toEqual({
    keyId: 'a',
    keySecret: 'eight-or-more',
  });
});

function issueIn(folder: string): IssuedCredentials {
  mkdirSync(simulatorFolder(folder), { recursive: true });
  return issueCredentials(simulatorFolder(folder));
}

test.each([
  [
    { MILLRACE_API_KEY_ID: 'an-id' },
    'MILLRACE_API_KEY_ID is set, but MILLRACE_API_KEY_SECRET is not; a key needs both',
  ],
  [
    { MILLRACE_API_KEY_SECRET: 'a-secret-of-some-length' },
    'MILLRACE_API_KEY_SECRET is set, but MILLRACE_API_KEY_ID is not; a key needs both',
  ],
  [
    { MILLRACE_API_KEY_ID: 'an-id', MILLRACE_API_KEY_SECRET: 'cut' },
    'MILLRACE_API_KEY_SECRET: must have 8 characters or more, has 3; was it cut short?',
  ],
])('half a key is refused, also where a simulator has issued one: %j', (environment, message) => {
  issueIn(home);
  expect(() => credentialsOf(environment, 'demo', home)).toThrow(
    expect.objectContaining({ code: 'MR_CONFIG', message }),
  );
});
