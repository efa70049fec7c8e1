/**
 * Reacts to the end of a stream. After most ends a new connection is enough; too many sessions and
 * a refused key need a person.
 */
import { call, type Procedure } from '../execution/requests/procedure.ts';
import type { EngineContext } from './engine-context.ts';
import type { StreamClosed } from './event.ts';

/**
 * A refused key may look like a bad connection: after this many ends in a row, a call checks it.
 */
const refusalsMax = 3;

/** Reports the end of `stream`, and finds out whether the key is the cause. */
export function noteStreamEnd(context: EngineContext, stream: string, closed: StreamClosed): void {
  const { reason, end, inARow = 1 } = closed;
  context.notice({ level: 'info', topic: 'stream', text: `${stream} closed: ${reason}` });
  if (end === 'session-limit' && inARow === 1)
    context.incident(
      'SESSION_LIMIT',
      `${stream}: the exchange allows no more sessions for this key; another program may be using it`,
    );
  if ((end === 'unanswered' || end === 'refused-key') && inARow === refusalsMax)
    context.spawn(checkKey(context, stream, reason));
}

/** Makes one call. If the exchange refuses the key, the bot halts, as with any other call. */
function* checkKey(context: EngineContext, stream: string, reason: string): Procedure {
  const reply = yield* call({ priority: 'resolve', request: () => ({ kind: 'balances' }) });
  if (reply.kind !== 'ok') return;
  context.incident(
    'STREAM_REFUSED',
    `${stream} was refused ${refusalsMax} times in a row (${reason}), but calls with its key succeed`,
  );
}
