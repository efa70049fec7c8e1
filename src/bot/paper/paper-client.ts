/**
 * A client that combines the venue and the paper account: public data comes from the venue;
 * everything about the account and its orders comes from the paper exchange in this process.
 *
 * Invariant: no operation that needs a permission to trade reaches the venue.
 */

import type { FeeRates } from '../../domain/trading-conditions.ts';
import type { PaperCore } from '../../paper/paper-core.ts';
import type { ParametersOf } from '../../venues/luno/api/operation.ts';
import {
  type OperationName,
  type Operations,
  operations,
} from '../../venues/luno/api/operations.ts';
import type { Reply } from '../../venues/luno/api/reply.ts';
import type { Client, RequestOptions } from '../../venues/luno/client/client.ts';
import { errorOfReply } from '../../venues/luno/client/reply-error.ts';

/** The operations that a paper bot sends to the venue; a read-only key suffices for them. */
export const paperOperations: readonly OperationName[] = [
  'markets',
  'ticker',
  'feeInfo',
  'candles',
];

/** Returns the client; `fees`, by pair, replace those of the key's account. */
export function createPaperClient(
  venue: Client,
  paper: Pick<PaperCore, 'ask'>,
  fees: ReadonlyMap<string, FeeRates>,
): Client {
  const answer = async <Name extends OperationName>(
    name: Name,
    parameters: ParametersOf<Operations[Name]>,
    options?: RequestOptions,
  ): Promise<Reply> => {
    const set = name === 'feeInfo' ? fees.get((parameters as { pair: string }).pair) : undefined;
    if (set !== undefined) {
      const body = { maker_fee: set.maker, taker_fee: set.taker, thirty_day_volume: '0' };
      return { kind: 'ok', status: 200, body, exchangeTimeMs: undefined };
    }
    return paperOperations.includes(name)
      ? venue.request(name, parameters, options)
      : paper.ask(name, parameters);
  };
  const method = (name: OperationName) => async (parameters: never) => {
    const reply = await answer(name, parameters);
    if (reply.kind === 'ok') return reply.body;
    throw errorOfReply(operations[name], reply);
  };
  const names = Object.keys(operations) as OperationName[];
  const methods = Object.fromEntries(names.map((name) => [name, method(name)]));
  // Both return the declared answer of each operation.
  const request = answer as Client['request'];
  return { ...(methods as unknown as Client), request, close: venue.close };
}
