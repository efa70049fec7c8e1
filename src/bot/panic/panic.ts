/**
 * A panic: stops the open orders of a target and reports the progress. Used by `millrace panic`,
 * and by `kill` if no bot runs.
 */

import { leasePathOf, readLease } from '../../control/lease.ts';
import { isLoopback } from '../../domain/this-machine.ts';
import type { Workspace } from '../../domain/workspace.ts';
import { clientOrderIdPrefix } from '../../execution/orders/client-order-id.ts';
import { CancelProgress } from '../../execution/reconcile/cancel-progress.ts';
import { createClock } from '../../runtime/clock.ts';
import { watchSignals } from '../../runtime/signals.ts';
import { createTimers } from '../../runtime/timers.ts';
import { exchangeCommand } from '../../terminal/command-hints.ts';
import { exitCodes } from '../../terminal/exit-code.ts';
import type { Output } from '../../terminal/output.ts';
import { credentialsOf } from '../keys/bot-credentials.ts';
import { hasOwnExchange, withVenue } from '../start/bot-venue.ts';
import { panicOrders } from './panic-orders.ts';
import type { PanicTarget } from './panic-target.ts';

const reportEveryMs = 2_000;

export type PanicRunOptions = {
  /** Whether to stop every open order of the account, not only the bot's. */
  readonly isAll: boolean;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly workspace: Workspace;
  readonly output: Output;
};

/** Stops orders until all are proven closed. Returns the exit code: 6 if any may still be open. */
export async function panic(target: PanicTarget, options: PanicRunOptions): Promise<number> {
  const { venue, home, store } = target;
  const { environment, workspace, output } = options;
  if (store === undefined || !isLoopback(venue) || !hasOwnExchange(home, environment))
    return panicAt(target, options);
  // The orders of a crashed demo are in its folder; its exchange must run to cancel them.
  const demo = { mode: 'demo', venue: venue.name } as const;
  return withVenue(demo, { home, store, environment, workspace, output }, (beside) =>
    panicAt({ ...target, venue: beside.venue, store: undefined }, options),
  );
}

async function panicAt(
  { namespace, venue, home, store }: PanicTarget,
  options: PanicRunOptions,
): Promise<number> {
  const { isAll, environment, workspace, output } = options;
  const isSimulated = isLoopback(venue);
  const credentials = credentialsOf(environment, isSimulated ? 'demo' : 'live', home);
  output.hide([{ id: credentials.keyId, secret: credentials.keySecret }]);
  // The simulator of `start` uses another port at each start; the bot's lease has its address.
  const lease = isSimulated && store !== undefined ? readLease(leasePathOf(store)) : undefined;
  const baseUrl = lease?.baseUrl ?? venue.baseUrl;
  const which = isAll
    ? 'every open order of the account'
    : `every open order that begins with ${clientOrderIdPrefix(namespace)}`;
  output.line(`panic: stopping ${which} at ${baseUrl}; Ctrl-C gives up`);
  const clock = createClock();
  const startedMicros = clock.monotonicMicros();
  let isWanted = true;
  const giveUp = (): void => {
    isWanted = false;
  };
  const unwatch = watchSignals({
    stop: giveUp,
    force: () => process.exit(exitCodes.ordersRemain),
    fatal: (error) => {
      output.problem(error);
      process.exit(exitCodes.ordersRemain);
    },
  });
  const progress = new CancelProgress(reportEveryMs);
  let isStartSuggested = false;
  try {
    const cleared = await panicOrders({
      venue: { ...venue, baseUrl },
      credentials,
      namespace: isAll ? undefined : namespace,
      timers: createTimers(),
      mayGoOn: () => isWanted,
      tell: (now) => {
        const line = progress.lineOf(now, clock.monotonicMicros() / 1000);
        if (line !== undefined) output.line(`panic: ${line}`);
        const { problem } = now;
        if (!isSimulated || isStartSuggested || problem?.includes('ECONNREFUSED') !== true) return;
        isStartSuggested = true;
        const command = exchangeCommand(workspace, home, baseUrl);
        output.line(`panic: a simulated exchange keeps its orders; start it with: ${command}`);
      },
    });
    const seconds = Math.round((clock.monotonicMicros() - startedMicros) / 1e6);
    const text = cleared.isClean
      ? `no order is open, as two lists in a row show; ${cleared.stopsSent} stops in ${seconds} s`
      : `given up: ${cleared.open ?? 'an unknown number of'} orders were open at the last check`;
    output.result({ ...cleared, open: cleared.open ?? null, seconds }, [text]);
    return cleared.isClean ? exitCodes.ok : exitCodes.ordersRemain;
  } finally {
    unwatch();
  }
}
