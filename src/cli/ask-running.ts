/** Sends a request to the running bot of a database, over its control channel. */
import { truePathOf } from '../bot/state-place.ts';
import { askBot } from '../control/control-client.ts';
import { type ControlRequest, controlPathOf, nameLengthMax } from '../control/control-message.ts';
import { AlreadyRunningError } from '../domain/errors.ts';
import { createTimers } from '../runtime/timers.ts';
import { userName } from '../runtime/user-name.ts';
import { isStoreLocked } from '../store/store-lock.ts';
import { type BotPlace, botCommand } from '../terminal/command-hints.ts';
import type { Output } from '../terminal/output.ts';

/**
 * Returns the bot's answer; undefined if no bot runs. Throws AlreadyRunningError, with the commands
 * that help, if a bot runs but does not answer.
 */
export async function askRunningBot(
  { store, place, output }: { store: string; place: BotPlace; output: Output },
  request: ControlRequest,
) {
  const path = controlPathOf(truePathOf(store));
  const ask = (asked: ControlRequest) =>
    path === undefined
      ? undefined
      : askBot(path, asked, {
          timers: createTimers(),
          onProgress: ({ text }) => output.line(text),
        }).catch((error: unknown) => {
          if (!(error instanceof AlreadyRunningError)) throw error;
          throw new AlreadyRunningError(`${error.message}; ${adviceOf(place)}`, { cause: error });
        });
  const named = await ask({ ...request, by: operatorName() });
  // A bot of an older version does not take the name.
  const isUnknown = named?.isRefused === true && named.text === 'unknown member "by"';
  const answer = isUnknown ? await ask(request) : named;
  if (answer === undefined && isStoreLocked(truePathOf(store)))
    throw new AlreadyRunningError(
      `a process has ${store} open but does not listen on its control channel: it is starting or ` +
        `blocked; ${adviceOf(place)}`,
    );
  return answer;
}

/** Returns who gives the commands of this process, as they are stored. */
export function operatorName(): string {
  return `user ${userName()}`.slice(0, nameLengthMax);
}

function adviceOf(place: BotPlace): string {
  return (
    `to stop its orders now:\n  ${botCommand('panic', place)}\n` +
    `to end the process if it stays blocked, and then stop its orders:\n  ${botCommand('watchdog', place)}\n`
  );
}
