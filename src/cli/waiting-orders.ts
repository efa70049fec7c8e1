/** Asks a running bot for its status and its waiting orders, for `status` and `why`. */
import type { ControlAnswer } from '../control/control-message.ts';
import type { BotStatus, WaitingOrder } from '../domain/bot-status.ts';
import type { BotPlace } from '../terminal/command-hints.ts';
import type { Output } from '../terminal/output.ts';
import { askRunningBot } from './ask-running.ts';

/** Returns the running bot's status; undefined if no bot runs, or it does not answer. */
export async function askStatus(
  store: string,
  { output, ...place }: BotPlace & { readonly output: Output },
): Promise<ControlAnswer | undefined> {
  try {
    return await askRunningBot({ store, place, output }, { command: 'status', reason: '' });
  } catch (error) {
    output.line(`! ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

/** Returns the status in a bot's answer; undefined if a bot of an older version has given it. */
export function statusIn(answer: ControlAnswer | undefined): BotStatus | undefined {
  const status = answer?.status;
  return status !== undefined && 'markets' in status ? status : undefined;
}

export function waitsOf(answer: ControlAnswer | undefined): readonly WaitingOrder[] {
  return statusIn(answer)?.calls.waits ?? [];
}

/** Returns a line for each waiting order. */
export function waitLines(waits: readonly WaitingOrder[]): readonly string[] {
  return waits.map(({ text }) => `waits      ${text}`);
}
