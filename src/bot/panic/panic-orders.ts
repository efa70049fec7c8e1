/**
 * Stops all our open orders, given only a key and a namespace: no database, no bot, no gate. Used
 * by `panic`, by `kill` if no bot runs, by the watchdog, and by a bot whose database has failed.
 */

import type { VenueSettings } from '../../domain/bot-settings.ts';
import { ConfigError } from '../../domain/errors.ts';
import { clientOrderIdPrefix } from '../../execution/orders/client-order-id.ts';
import type { CancelAllProgress, CancelAllResult } from '../../execution/reconcile/cancel-all.ts';
import { createClock } from '../../runtime/clock.ts';
import type { Timers } from '../../runtime/timers.ts';
import type { Credentials } from '../../venue/key-credentials.ts';
import { type ConnectOptions, connectVenue } from '../../venues.ts';
import { runCancelAll } from './cancel-all-run.ts';

/** A proxy may answer 403, too: the key is refused only after this number of such answers alone. */
const refusalsMax = 3;

export type PanicOptions = {
  readonly venue: Omit<VenueSettings, 'name'>;
  readonly credentials: Credentials;
  /** If undefined, every open order of the account is stopped. */
  readonly namespace: string | undefined;
  readonly timers: Timers;
  /** The egress guard of a bot that stops its own orders. */
  readonly guard?: ConnectOptions['guard'];
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
  const { venue, credentials, timers, namespace, guard, known = [] } = options;
  const allow = ['orders', 'cancel'] as const;
  const connection = connectVenue({ venue, credentials, timers, guard, allow });
  let isKeyGood = false;
  let refusals = 0;
  let refusal: string | undefined;
  try {
    const cleared = await runCancelAll(
      {
        clock: createClock(),
        timers,
        properties: connection.properties,
        send: (request, deadlineMs, answer) => {
          void connection.send(request, deadlineMs).then((reply) => {
            isKeyGood ||= reply.kind === 'ok';
            const isRefused = reply.kind === 'refused' && reply.reason === 'key-refused';
            if (!isKeyGood && isRefused && ++refusals === refusalsMax)
              refusal = `${reply.code}: ${reply.text}`;
            answer(reply);
          });
        },
      },
      {
        known,
        prefix: namespace === undefined ? '' : clientOrderIdPrefix(namespace),
        mayGoOn: () => refusal === undefined && options.mayGoOn(),
        tell: options.tell,
      },
    );
    if (refusal !== undefined)
      throw new ConfigError(`the exchange refuses the key (${refusal}): no order was stopped`);
    return cleared;
  } finally {
    await connection.close();
  }
}
