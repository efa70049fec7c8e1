/**
 * Checks at each start that the paths that are missing in the documents exist at the exchange. The
 * answer to a wrong path proves nothing, so an unknown order would stay unknown forever.
 */
import { ConfigError } from '../../../domain/errors.ts';
import { errorDeclarationOf } from '../api/error-codes.ts';
import { type OperationName, operations } from '../api/operations.ts';
import type { Reply } from '../api/reply.ts';
import type { Client } from './client.ts';
import { errorOfReply } from './reply-error.ts';

/** An id that no order has: no bot has this namespace. */
const unusedOrderId = 'millrace-probe';

/**
 * Calls each path that a bot depends on once. Throws ConfigError that names a path that does not
 * exist, and the error of a call that does not show whether the path exists.
 */
export async function probePaths(client: Pick<Client, 'request'>): Promise<void> {
  check('listOrdersV2', await client.request('listOrdersV2', { limit: 1 }));
  check('getOrderV3', await client.request('getOrderV3', { client_order_id: unusedOrderId }));
}

function check(name: OperationName, reply: Reply): void {
  if (reply.kind === 'ok') return;
  // Any error code of the exchange shows that the path exists.
  if (reply.kind === 'refused' && errorDeclarationOf(reply.code)?.effect !== 'fatal') return;
  const isWrongPath = reply.kind === 'no-answer' && (reply.status === 404 || reply.status === 405);
  if (isWrongPath)
    throw new ConfigError(
      `the path of ${name} does not exist at this exchange: it answers ${reply.status} without an error ` +
        `code; give the right path in the venue file: paths: { ${name}: ${operations[name].path} }`,
    );
  throw errorOfReply(operations[name], reply);
}
