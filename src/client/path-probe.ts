/**
 * Finds out at the start whether the paths that the documents do not show are the exchange's: a
 * wrong one answers with a page that proves nothing, so that every unknown order would stay unknown
 * for ever.
 */
import { ConfigError } from '../domain/errors.ts';
import { errorDeclarationOf } from '../exchange-api/error-codes.ts';
import { type OperationName, operations } from '../exchange-api/operations.ts';
import type { Reply } from '../exchange-api/reply.ts';
import type { Client } from './client.ts';
import { errorOfReply } from './reply-error.ts';

/** An id that no order has: it is in nobody's namespace. */
const nobodysOrder = 'millrace-probe';

/**
 * Asks once by each path that a bot lives by. Throws ConfigError that names a path which is no path
 * of the exchange, and the error of the call where it says nothing of the path.
 */
export async function probePaths(client: Pick<Client, 'request'>): Promise<void> {
  check('listOrdersV2', await client.request('listOrdersV2', { limit: 1 }));
  check('getOrderV3', await client.request('getOrderV3', { client_order_id: nobodysOrder }));
}

function check(name: OperationName, reply: Reply): void {
  if (reply.kind === 'ok') return;
  // The exchange's own word, whatever it is, comes from the right place.
  if (reply.kind === 'refused' && errorDeclarationOf(reply.code)?.effect !== 'fatal') return;
  const isNoPage = reply.kind === 'no-answer' && (reply.status === 404 || reply.status === 405);
  if (isNoPage)
    throw new ConfigError(
      `the path of ${name} is none of this exchange: it answers ${reply.status} without an error code; ` +
        `the documents do not show it, so the venue file must: paths: { ${name}: ${operations[name].path} }`,
    );
  throw errorOfReply(operations[name], reply);
}
