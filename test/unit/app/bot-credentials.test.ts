/** Where the key of a bot comes from, and what is said where there is none. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { credentialsOf } from '../../../src/app/bot-credentials.ts';
import { simulatorFolder } from '../../../src/app/exchange-verb.ts';
import { NotFoundError } from '../../../src/domain/errors.ts';
import {
  type IssuedCredentials,
  issueCredentials,
} from '../../../src/simulator/credentials-file.ts';

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

test('a home in which no exchange has run is named, and what to do about it', () => {
  const ask = (): unknown => credentialsOf({}, 'demo', home);
  expect(ask).toThrow(NotFoundError);
  expect(ask).toThrow(
    `there is no simulated exchange in ${home}, whose key a demo uses: name the home`,
  );
});

test('live has no key but that of the environment', () => {
  issueIn(home);
  expect(() => credentialsOf({}, 'live', home)).toThrow(/^no API key: set MILLRACE_API_KEY_ID_/u);
  const environment = { MILLRACE_API_KEY_ID: 'a', MILLRACE_API_KEY_SECRET: 'b' };
  expect(credentialsOf(environment, 'live', home)).toEqual({ keyId: 'a', keySecret: 'b' });
});

function issueIn(folder: string): IssuedCredentials {
  mkdirSync(simulatorFolder(folder), { recursive: true });
  return issueCredentials(simulatorFolder(folder));
}
