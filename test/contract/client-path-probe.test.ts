/** The probe of undocumented paths, against a real HTTP server. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ConfigError } from '../../src/domain/errors.ts';
import { createTimers } from '../../src/runtime/timers.ts';
import { type Client, createClient } from '../../src/venues/luno/client/client.ts';
import { probePaths } from '../../src/venues/luno/client/path-probe.ts';
import {
  httpAnswer,
  type RawServer,
  startRawServer,
} from '../unit/venues/luno/client/raw-server.ts';

const credentials = { keyId: 'keyid', keySecret: 'keysecret' };
const orders = httpAnswer(200, '{"orders":[]}');
const notFound = httpAnswer(404, '{"error_code":"ErrOrderNotFound","error":"no"}');
const page = httpAnswer(404, '<html>404 page not found</html>');

let server: RawServer;
let client: Client;

beforeEach(async () => {
  server = await startRawServer();
  client = createClient({ baseUrl: server.url, credentials, timers: createTimers() });
});
afterEach(async () => {
  await client.close();
  await server.close();
});

/** The first answer is for the list of orders, the second for the single order. */
const answer = (list: Uint8Array, single: Uint8Array): void => {
  let count = 0;
  server.answer = (socket) => socket.write(count++ === 0 ? list : single);
};

describe('the probe', () => {
  test('RD29: accepts every error code of an exchange, including that of a missing order', async () => {
    answer(orders, notFound);
    await probePaths(client);
    expect(server.requests).toHaveLength(2);
  });

  test.each([
    ['listOrdersV2', page, notFound],
    ['getOrderV3', orders, page],
    ['getOrderV3', orders, httpAnswer(404, '')],
    ['getOrderV3', orders, httpAnswer(405, 'no')],
  ])('RD29: names the path of %s when a page answers (case %#)', async (name, list, single) => {
    answer(list, single);
    await expect(probePaths(client)).rejects.toThrow(ConfigError);
    answer(list, single);
    await expect(probePaths(client)).rejects.toThrow(new RegExp(`paths: \\{ ${name}: `, 'u'));
  });

  test('RD29: reports an answer that does not concern the path', async () => {
    answer(httpAnswer(401, ''), notFound);
    await expect(probePaths(client)).rejects.toMatchObject({ code: 'MR_EXCHANGE_REFUSED' });
    answer(httpAnswer(503, '<html>later</html>'), notFound);
    await expect(probePaths(client)).rejects.toMatchObject({ code: 'MR_OUTCOME_UNKNOWN' });
  });
});
