/** Asks the bot that has a database open, over its control channel. */
import { truePathOf } from '../bot/state-place.ts';
import { askBot } from '../control/control-client.ts';
import { type ControlRequest, controlPathOf } from '../control/control-message.ts';
import { AlreadyRunningError } from '../domain/errors.ts';
import { createTimers } from '../runtime/timers.ts';
import { isStoreLocked } from '../store/store-lock.ts';
import { type BotPlace, botCommand } from '../terminal/command-hints.ts';
import type { Output } from '../terminal/output.ts';

/**
 * Asks the bot of a database; undefined if none runs. Throws AlreadyRunningError, with the commands
 * that help, if one does and does not answer.
 */
export async function askRunning(
  { store, place, output }: { store: string; place: BotPlace; output: Output },
  request: ControlRequest,
) {
  const path = controlPathOf(truePathOf(store));
  const answer =
    path === undefined
      ? undefined
      : await askBot(path, request, {
          timers: createTimers(),
          onProgress: ({ text }) => output.line(text),
        }).catch((error: unknown) => {
          if (!(error instanceof AlreadyRunningError)) throw error;
          throw new AlreadyRunningError(`${error.message}; ${adviceOf(place)}`, { cause: error });
        });
  if (answer === undefined && isStoreLocked(truePathOf(store)))
    throw new AlreadyRunningError(
      `a process has ${store} open and does not listen at its control channel: it starts, or it ` +
        `is blocked; ${adviceOf(place)}`,
    );
  return answer;
}

function adviceOf(place: BotPlace): string {
  return (
    `to stop its orders now:\n  ${botCommand('panic', place)}\n` +
    `to end it if it stays blocked, and stop its orders then:\n  ${botCommand('watchdog', place)}\n`
  );
}
