/**
 * Stops every open order of ours with a key and a namespace alone: no database, no bot, no gate.
 * Behind `panic`, behind `kill` where no bot runs, behind the watchdog, and behind a bot whose
 * database has failed.
 */
import { createClient } from '../../client/client.ts';
import type { Credentials } from '../../client/credentials.ts';
import type { EgressGuard } from '../../client/egress-guard.ts';
import { ConfigError } from '../../domain/errors.ts';
import type { ParametersOf } from '../../exchange-api/operation.ts';
import type { OperationName, Operations } from '../../exchange-api/operations.ts';
import { clientOrderIdPrefix } from '../../execution/orders/client-order-id.ts';
import { isKeyRefused } from '../../execution/orders/place-outcome.ts';
import type { CancelAllProgress, CancelAllResult } from '../../execution/reconcile/cancel-all.ts';
import { createClock } from '../../runtime/clock.ts';
import type { Timers } from '../../runtime/timers.ts';
import { runCancelAll } from './cancel-all-run.ts';

/** A page of a proxy says 403, too: it is the key only if nothing else was answered so often. */
const refusalsMax = 3;

/** All that may leave. */
const panicOperations: readonly OperationName[] = ['listOrdersV2', 'stoporder'];

export type PanicOptions = {
  readonly baseUrl: string;
  readonly paths: Readonly<Record<string, string>>;
  readonly credentials: Credentials;
  /** Undefined stops every open order of the account. */
  readonly namespace: string | undefined;
  readonly timers: Timers;
  /** Of a bot that stops its own orders. */
  readonly guard?: Pick<EgressGuard, 'inspect'>;
  /** Orders that are thought open, newest first; they are stopped before any list is read. */
  readonly known?: readonly string[];
  /** Asked before every call; false ends the work. */
  readonly mayGoOn: () => boolean;
  readonly tell: (progress: CancelAllProgress) => void;
};

/**
 * Goes on until two lists in a row, far enough apart, show no order, or until it may not go on.
 * Throws ConfigError if the exchange refuses the key several times and has answered nothing else.
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
      throw new ConfigError(`the exchange refuses the key (${refusal}): nothing was stopped`);
    return cleared;
  } finally {
    await client.close();
  }
}
