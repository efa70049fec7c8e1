/**
 * Stops all our open orders, given only a key and a namespace: no database, no bot, no gate. Used
 * by `panic`, by `kill` if no bot runs, by the watchdog, and by a bot whose database has failed.
 */

import { ConfigError } from '../../domain/errors.ts';
import { clientOrderIdPrefix } from '../../execution/orders/client-order-id.ts';
import { isKeyRefused } from '../../execution/orders/place-outcome.ts';
import type { CancelAllProgress, CancelAllResult } from '../../execution/reconcile/cancel-all.ts';
import { createClock } from '../../runtime/clock.ts';
import type { Timers } from '../../runtime/timers.ts';
import type { ParametersOf } from '../../venues/luno/api/operation.ts';
import type { OperationName, Operations } from '../../venues/luno/api/operations.ts';
import { createClient } from '../../venues/luno/client/client.ts';
import type { Credentials } from '../../venues/luno/client/credentials.ts';
import type { EgressGuard } from '../../venues/luno/client/egress-guard.ts';
import { runCancelAll } from './cancel-all-run.ts';

/** A proxy may answer 403, too: the key is refused only after this number of such answers alone. */
const refusalsMax = 3;

/** The only operations that may be sent. */
const panicOperations: readonly OperationName[] = ['listOrdersV2', 'stoporder'];

export type PanicOptions = {
  readonly baseUrl: string;
  readonly paths: Readonly<Record<string, string>>;
  readonly credentials: Credentials;
  /** If undefined, every open order of the account is stopped. */
  readonly namespace: string | undefined;
  readonly timers: Timers;
  /** The egress guard of a bot that stops its own orders. */
  readonly guard?: Pick<EgressGuard, 'inspect'>;
  /** Ids of probably open orders, newest first; they are stopped before any list is read. */
  readonly known?: readonly string[];
  /** Called before every request; false ends the work. */
  readonly mayGoOn: () => boolean;
  readonly tell: (progress: CancelAllProgress) => void;
};

/**
 * Stops orders until two consecutive lists, far enough apart, show no open order, or until
 * `mayGoOn` ends it. Throws ConfigError if the exchange only ever refuses the key.
 */
export async function panicOrders(options: PanicOptions): Promise<CancelAllResult> {
  const { baseUrl, paths, credentials, timers, namespace, guard, known = [] } = options;
  const client = createClient({
    ...{ baseUrl, credentials, paths, timers, allow: panicOperations },
    ...(guard === undefined ? {} : { guard }),
  });
  const prefix = namespace === undefined ? '' : clientOrderIdPrefix(namespace);
  let isKeyGood = false;
  let refusals = 0;
  let refusal: string | undefined;
  try {
    const cleared = await runCancelAll(
      {
        clock: createClock(),
        timers,
        send: ({ operation, parameters, deadlineMs }, answer) => {
          const given = parameters as ParametersOf<Operations[OperationName]>;
          void client.request(operation, given, { deadlineMs }).then((reply) => {
            isKeyGood ||= reply.kind === 'ok';
            const isRefused = reply.kind === 'refused' && isKeyRefused(reply);
            if (!isKeyGood && isRefused && ++refusals === refusalsMax)
              refusal = `${reply.status} ${reply.code}: ${reply.message}`;
            answer(reply);
          });
        },
      },
      {
        known,
        isOurs: (record) => record.client_order_id.startsWith(prefix),
        mayGoOn: () => refusal === undefined && options.mayGoOn(),
        tell: options.tell,
      },
    );
    if (refusal !== undefined)
      throw new ConfigError(`the exchange refuses the key (${refusal}): no order was stopped`);
    return cleared;
  } finally {
    await client.close();
  }
}
