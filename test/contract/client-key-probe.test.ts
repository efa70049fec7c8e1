/** What the answers to the key probe show about permissions, against a real HTTP server. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTimers } from '../../src/runtime/timers.ts';
import { probeKey } from '../../src/venues/luno/client/key-probe.ts';
import {
  httpAnswer,
  type RawServer,
  startRawServer,
} from '../unit/venues/luno/client/raw-server.ts';

const credentials = { keyId: 'keyid', keySecret: 'keysecret' };

let server: RawServer;

beforeEach(async () => {
  server = await startRawServer();
});
afterEach(() => server.close());

test.each([
  ['granted', '200', httpAnswer(200, '{"success":true}')],
  ['granted', '400 ErrInvalidArguments', httpAnswer(400, '{"error_code":"ErrInvalidArguments"}')],
  ['missing', '403 ErrInsufficientPerms', httpAnswer(403, '{"error_code":"ErrInsufficientPerms"}')],
  ['missing', '403 ErrUnauthorised', httpAnswer(403, '{"error_code":"ErrUnauthorised"}')],
  ['unknown', '200 without JSON', httpAnswer(200, '<html>log in</html>')],
  ['unknown', '200 without JSON', httpAnswer(200, '')],
  ['unknown', '403 without JSON', httpAnswer(403, '<html>blocked</html>')],
  ['unknown', '429', httpAnswer(429, '{}')],
])('the permission is %s by an answer of %s (case %#)', async (state, described, answer) => {
  server.answer = (socket) => socket.write(answer);
  const found = await probeKey({
    baseUrl: server.url,
    credentials,
    wanted: ['Perm_W_Withdrawals'],
    timers: createTimers(),
  });
  expect(found.findings).toMatchObject([
    {
      permission: 'Perm_W_Withdrawals',
      state,
      answer: `DELETE /api/1/withdrawals/0: ${described}`,
    },
  ]);
});
