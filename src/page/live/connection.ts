/** Whether the page is connected to its bot, and what an answer about the bot's status means. */
import type { BotEntry, StatusAnswer } from '../../dashboard/api/bot-answers.ts';

export type Connection =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** The page shows old figures since this moment of the browser's clock. */
  | { readonly kind: 'lost'; readonly sinceMs: number; readonly text: string }
  /** The server answers, but the bot does not run. */
  | { readonly kind: 'ended'; readonly sinceMs: number; readonly text: string };

/**
 * Returns the connection after an answer. The events of the stream are newer than an answer that
 * arrives after them, so a status counts only before the first event: the bot may have been killed
 * since it was read.
 */
export function afterAnswer(
  connection: Connection,
  {
    status,
    bot,
    problem,
  }: Pick<StatusAnswer, 'status' | 'problem'> & {
    readonly bot: Pick<BotEntry, 'state' | 'endedMs'>;
  },
  nowMs: number,
): Connection {
  if (status !== null) return connection.kind === 'connecting' ? { kind: 'live' } : connection;
  if (connection.kind === 'ended') return connection;
  return { kind: 'ended', sinceMs: bot.endedMs ?? nowMs, text: problem ?? stateTexts[bot.state] };
}

const stateTexts: Readonly<Record<BotEntry['state'], string>> = {
  running: 'It runs, but sends no status.',
  silent: 'Its process runs, but does not answer.',
  stopped: 'It was stopped.',
  gone: 'It was killed or has crashed.',
};
