/**
 * What follows from the way in which a stream ended. Most ends are followed by another connection
 * and nothing else; a full house and a key that is not liked need a person.
 */
import { call, type Procedure } from '../execution/requests/procedure.ts';
import type { EngineContext } from './engine-context.ts';
import type { StreamClosed } from './event.ts';

/** A bad key may look like a bad line, so one call asks after so many ends in a row. */
const refusalsMax = 3;

/** Announces the end of `stream`, and finds out whether the key is the reason. */
export function noteStreamEnd(context: EngineContext, stream: string, closed: StreamClosed): void {
  const { reason, end, inARow = 1 } = closed;
  context.notice({ level: 'info', topic: 'stream', text: `${stream} closed: ${reason}` });
  if (end === 'session-limit' && inARow === 1)
    context.incident(
      'SESSION_LIMIT',
      `${stream}: the exchange allows no more sessions of this key; another program may use it`,
    );
  if ((end === 'unanswered' || end === 'refused-key') && inARow === refusalsMax)
    context.spawn(askAboutKey(context, stream, reason));
}

/** A refused key halts the bot, as at any other call; any other answer clears the key. */
function* askAboutKey(context: EngineContext, stream: string, reason: string): Procedure {
  const reply = yield* call({ lane: 'resolve', operation: 'balance', parameters: () => ({}) });
  if (reply.kind !== 'ok') return;
  context.incident(
    'STREAM_REFUSED',
    `${stream} was refused ${refusalsMax} times (${reason}), but requests accept the key`,
  );
}
