/** Sends a command to a running bot over its control channel. */
import { createConnection } from 'node:net';
import { AlreadyRunningError, StoreError } from '../domain/errors.ts';
import type { Timers } from '../runtime/timers.ts';
import type { ControlAnswer, ControlRequest } from './control-message.ts';

const answerBytesMax = 1_048_576;
/** A working bot acknowledges a command at once; after this time it is blocked. */
const firstAnswerMs = 5_000;

/** The bot ended before its last answer; how much of the command it carried out is unknown. */
export class BotEndedError extends StoreError {}

/**
 * Sends `request` and returns the last answer, or undefined if no bot is listening. Earlier answers
 * go to `onProgress`. Rejects with AlreadyRunningError if the bot is blocked, and with
 * BotEndedError if it ends before its last answer.
 */
export function askBot(
  path: string,
  request: ControlRequest,
  options: { readonly timers: Timers; readonly onProgress: (answer: ControlAnswer) => void },
): Promise<ControlAnswer | undefined> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(path);
    let text = '';
    const cancel = options.timers.after(firstAnswerMs, () =>
      fail(
        new AlreadyRunningError(
          `the bot at ${path} has not answered for ${firstAnswerMs / 1000} s: it is blocked, and ` +
            'carries out the command if it continues',
        ),
      ),
    );
    const fail = (error: Error): void => {
      cancel();
      socket.destroy();
      reject(error);
    };
    socket.once('error', (error: NodeJS.ErrnoException) => {
      const isAbsent = ['ENOENT', 'ECONNREFUSED', 'ENOTDIR'].includes(error.code ?? '');
      cancel();
      if (isAbsent) resolve(undefined);
      else fail(new StoreError(`the bot at ${path} cannot be reached (${error.code})`));
    });
    socket.setEncoding('utf8').on('data', (part: string) => {
      cancel();
      text += part;
      if (text.length > answerBytesMax)
        fail(new StoreError(`the answer of the bot at ${path} is too long`));
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n')) {
        const answer = JSON.parse(text.slice(0, end)) as ControlAnswer;
        text = text.slice(end + 1);
        if (!answer.isDone) options.onProgress(answer);
        else {
          socket.destroy();
          resolve(answer);
        }
      }
    });
    socket.once('close', () =>
      fail(
        new BotEndedError(
          `the bot at ${path} ended before its last answer; what it did is unknown: send the command again`,
        ),
      ),
    );
    socket.write(`${JSON.stringify(request)}\n`);
  });
}
