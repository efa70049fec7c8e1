/**
 * A feed from an address that is read every so often, one request at a time. After failures it
 * waits longer: as long as the server says, or twice as long each time.
 */
import { Agent, type Dispatcher } from 'undici';
import { DecodeError } from '../domain/errors.ts';
import type { FeedHeaders } from '../domain/feed.ts';
import type { Cancel, Timers } from '../runtime/timers.ts';
import type { FeedIntake } from './feed-intake.ts';
import { valuesOfJson } from './message-values.ts';
import { networkReason, type OpenFeed } from './open-feed.ts';

const timeoutMsMax = 10_000;
const timeoutMsMin = 1_000;
const waitMsMax = 60_000;
/** A server may ask for a longer pause, but not for longer than this. */
const askedMsMax = 600_000;

type Polled = { readonly url: string; readonly headers: FeedHeaders };

/** A failure of a request, and for how long the server asks not to be asked again. */
class PollError extends DecodeError {
  readonly askedMs: number;

  constructor(reason: string, askedMs = 0) {
    super(reason);
    this.askedMs = askedMs;
  }
}

/** Opens the feed. */
export function pollHttp(polled: Polled, intake: FeedIntake, timers: Timers): OpenFeed {
  const { everyMs } = intake.source;
  const timeoutMs = Math.min(timeoutMsMax, Math.max(timeoutMsMin, everyMs));
  const agent = new Agent({
    connections: 1,
    pipelining: 1,
    maxHeaderSize: 16_384,
    allowH2: false,
    // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED cannot switch it off.
    connect: { timeout: timeoutMs, rejectUnauthorized: true },
  });
  let cancelNext: Cancel = () => {};
  let failures = 0;
  let isClosed = false;

  const poll = async (): Promise<number> => {
    try {
      const text = await textOf(agent, polled, { timeoutMs, timers, intake });
      if (isClosed) return everyMs;
      const refused = intake.offer(() => valuesOfJson(text, intake.source));
      if (refused !== undefined) intake.fail(refused);
      failures = 0;
      return everyMs;
    } catch (error) {
      failures++;
      if (!isClosed)
        intake.fail(error instanceof DecodeError ? error.message : networkReason(error));
      const waitMs = Math.max(everyMs, Math.min(waitMsMax, everyMs * 2 ** (failures - 1)));
      return Math.max(waitMs, error instanceof PollError ? error.askedMs : 0);
    }
  };
  const next = (): void => {
    void poll().then((waitMs) => {
      if (!isClosed) cancelNext = timers.after(waitMs, next);
    });
  };
  next();
  return {
    close: async () => {
      isClosed = true;
      cancelNext();
      await agent.destroy();
    },
  };
}

type Limits = {
  readonly timeoutMs: number;
  readonly timers: Timers;
  readonly intake: FeedIntake;
};

/** Returns the text of an answer. Throws PollError for any but a 200 within the limits. */
async function textOf(
  agent: Agent,
  { url, headers }: Polled,
  { timeoutMs, timers, intake }: Limits,
): Promise<string> {
  const { bytesMax } = intake.source;
  const { origin, pathname, search } = new URL(url);
  const abort = new AbortController();
  const cancel = timers.after(timeoutMs, () => abort.abort());
  try {
    const answer = await agent.request({
      ...{ origin, path: `${pathname}${search}`, method: 'GET', signal: abort.signal },
      headers: { accept: 'application/json', 'accept-encoding': 'identity', ...headers },
      ...{ headersTimeout: timeoutMs, bodyTimeout: timeoutMs },
    });
    const { statusCode: status, body } = answer;
    if (status !== 200) {
      body.on('error', () => {}).destroy();
      throw refusalOf(status, answer.headers);
    }
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > bytesMax) throw new PollError(`the answer is larger than ${bytesMax / 1_000} kB`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  } catch (error) {
    if (abort.signal.aborted) throw new PollError(`no answer within ${timeoutMs} ms`);
    throw error;
  } finally {
    cancel();
  }
}

function refusalOf(status: number, headers: Dispatcher.ResponseData['headers']): PollError {
  const hint = status >= 300 && status < 400 ? ', a redirect, which is not followed' : '';
  const seconds = Number.parseInt(String(headers['retry-after'] ?? ''), 10);
  const askedMs = seconds > 0 ? Math.min(askedMsMax, seconds * 1_000) : 0;
  return new PollError(`HTTP ${status}${hint}`, askedMs);
}
