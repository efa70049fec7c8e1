/** Sends commands to a running bot over its control channel, and watches its status. */
import { createConnection } from 'node:net';
import type { BotStatus } from '../domain/bot-status.ts';
import { AlreadyRunningError, StoreError } from '../domain/errors.ts';
import type { Timers } from '../runtime/timers.ts';
import type { ControlAnswer, ControlRequest } from './control-message.ts';

const answerBytesMax = 1_048_576;
/** A working bot acknowledges a command at once; after this time it is blocked. */
const firstAnswerMs = 5_000;
/** What connecting fails with where no bot listens. */
const absentCodes = ['ENOENT', 'ECONNREFUSED', 'ENOTDIR'];

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
      const isAbsent = absentCodes.includes(error.code ?? '');
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
        const answer = answerIn(text.slice(0, end));
        text = text.slice(end + 1);
        if (answer === undefined) {
          fail(new StoreError(`the answer of the bot at ${path} is not of this version`));
          return;
        }
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

/** Returns the answer in a line; undefined if whatever listens there is no bot of ours. */
function answerIn(line: string): ControlAnswer | undefined {
  try {
    const answer: unknown = JSON.parse(line);
    return typeof answer === 'object' && answer !== null ? (answer as ControlAnswer) : undefined;
  } catch {
    return undefined;
  }
}

export type WatchOptions = {
  /** Called several times a second; `text` is the bot's health in a line. */
  readonly onStatus: (status: BotStatus, text: string) => void;
  /** Called once, unless closed before: no bot listens, it has ended, or it refuses. */
  readonly onEnd: (reason: string) => void;
};

/** Watches the status of the bot at `path` until it ends or the watch is closed. */
export function watchBot(path: string, options: WatchOptions): { close(): void } {
  const socket = createConnection(path);
  let text = '';
  let isEnded = false;
  const end = (reason: string): void => {
    socket.destroy();
    if (isEnded) return;
    isEnded = true;
    options.onEnd(reason);
  };
  socket.once('error', ({ code = '' }: NodeJS.ErrnoException) => {
    if (absentCodes.includes(code)) end(`no bot listens (${code})`);
  });
  socket.once('close', () => end('the bot has ended, or this program read too slowly'));
  socket.setEncoding('utf8').on('data', (part: string) => {
    text += part;
    if (text.length > answerBytesMax) end('the status of the bot is too long');
    for (let at = text.indexOf('\n'); at !== -1 && !isEnded; at = text.indexOf('\n')) {
      const answer = answerIn(text.slice(0, at));
      text = text.slice(at + 1);
      if (answer === undefined) end('the answer of the bot is not of this version');
      else if (answer.isRefused) end(answer.text);
      else if (answer.status !== undefined) options.onStatus(answer.status, answer.text);
    }
  });
  socket.write(`${JSON.stringify({ command: 'watch' })}\n`);
  return {
    close: () => {
      isEnded = true;
      socket.destroy();
    },
  };
}
