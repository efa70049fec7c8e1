/** What a running bot says of its orders that wait, for `status` and `why`. */
import type { ControlAnswer } from '../control/control-message.ts';
import type { CallWait } from '../engine/quoting/call-waits.ts';
import type { BotPlace } from '../terminal/command-hints.ts';
import type { Output } from '../terminal/output.ts';
import { askRunningBot } from './ask-running.ts';

/** Returns what the bot itself says; undefined if none runs, or one that does not answer. */
export async function askAlive(
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

/** Returns the orders that wait by the answer of a bot; one of an older version names none. */
export function waitsOf(answer: ControlAnswer | undefined): readonly CallWait[] {
  // Our own bot says this, over a socket that only its user may open.
  return (answer?.status?.['waits'] ?? []) as readonly CallWait[];
}

/** The same for people. */
export function waitLines(waits: readonly CallWait[]): readonly string[] {
  return waits.map(({ text }) => `waits      ${text}`);
}
