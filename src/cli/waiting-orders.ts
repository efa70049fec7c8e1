/** Asks a running bot for its status and its waiting orders, for `status` and `why`. */
import type { ControlAnswer } from '../control/control-message.ts';
import type { CallWait } from '../engine/quoting/call-waits.ts';
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

/** Returns the waiting orders in a bot's answer; an older version of the bot reports none. */
export function waitsOf(answer: ControlAnswer | undefined): readonly CallWait[] {
  // The answer comes from our own bot, over a socket that only its user can open.
  return (answer?.status?.['waits'] ?? []) as readonly CallWait[];
}

/** Returns a line for each waiting order. */
export function waitLines(waits: readonly CallWait[]): readonly string[] {
  return waits.map(({ text }) => `waits      ${text}`);
}
