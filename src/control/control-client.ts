/** Asks a running bot over its control channel. */
import { createConnection } from 'node:net';
import { AlreadyRunningError, StoreError } from '../domain/errors.ts';
import type { Timers } from '../runtime/timers.ts';
import type { ControlAnswer, ControlRequest } from './control-message.ts';

const answerBytesMax = 1_048_576;
/** A bot that takes a command says so at once; one that does not is blocked. */
const firstAnswerMs = 5_000;

/** The bot ended before it had given its last answer; what it did of the command is not known. */
export class BotEndedError extends StoreError {}

/**
 * Sends `request` and returns the last answer; `hear` gets those before. Undefined if no bot
 * listens. Rejects with AlreadyRunningError if one does and is blocked, with BotEndedError if it
 * ends meanwhile.
 */
export function askBot(
  path: string,
  request: ControlRequest,
  options: { readonly timers: Timers; readonly hear: (answer: ControlAnswer) => void },
): Promise<ControlAnswer | undefined> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(path);
    let text = '';
    const cancel = options.timers.after(firstAnswerMs, () =>
      fail(
        new AlreadyRunningError(
          `the bot at ${path} does not answer for ${firstAnswerMs / 1000} s: it is blocked, and ` +
            'obeys if it goes on',
        ),
      ),
    );
    const fail = (error: Error): void => {
      cancel();
      socket.destroy();
      reject(error);
    };
    socket.once('error', (error: NodeJS.ErrnoException) => {
      const isNobody = ['ENOENT', 'ECONNREFUSED', 'ENOTDIR'].includes(error.code ?? '');
      cancel();
      if (isNobody) resolve(undefined);
      else fail(new StoreError(`the bot at ${path} cannot be asked (${error.code})`));
    });
    socket.setEncoding('utf8').on('data', (part: string) => {
      cancel();
      text += part;
      if (text.length > answerBytesMax) fail(new StoreError(`the bot at ${path} answers too much`));
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n')) {
        const answer = JSON.parse(text.slice(0, end)) as ControlAnswer;
        text = text.slice(end + 1);
        if (!answer.isDone) options.hear(answer);
        else {
          socket.destroy();
          resolve(answer);
        }
      }
    });
    socket.once('close', () =>
      fail(
        new BotEndedError(
          `the bot at ${path} ended before it had answered; what it did is not known: ask again`,
        ),
      ),
    );
    socket.write(`${JSON.stringify(request)}\n`);
  });
}
