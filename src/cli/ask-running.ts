/** Asks the bot that has a database open, over its control channel. */
import { truePathOf } from '../bot/state-place.ts';
import { askBot } from '../control/control-client.ts';
import { type ControlRequest, controlPathOf } from '../control/control-message.ts';
import { AlreadyRunningError } from '../domain/errors.ts';
import { createTimers } from '../runtime/timers.ts';
import { isStoreLocked } from '../store/store-lock.ts';
import type { Output } from '../terminal/output.ts';

/** Asks the bot of a database; undefined if none runs. */
export async function askRunning(store: string, output: Output, request: ControlRequest) {
  const path = controlPathOf(truePathOf(store));
  const answer =
    path === undefined
      ? undefined
      : await askBot(path, request, {
          timers: createTimers(),
          hear: ({ text }) => output.line(text),
        });
  if (answer === undefined && isStoreLocked(truePathOf(store)))
    throw new AlreadyRunningError(
      `a process has ${store} open and does not listen at its control channel: it starts, or it ` +
        'is blocked; millrace panic stops its orders, millrace watchdog ends it',
    );
  return answer;
}
