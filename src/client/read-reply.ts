/**
 * What an HTTP answer proves, as a {@link Reply}.
 *
 * Invariants: `ok` needs a 2xx whose body is what the operation declares; `refused` needs an error
 * body with a code, or one of the three statuses that mean the same on every path. In particular, a
 * 404 page is no "order not found": it may come from a wrong path.
 */
import type * as z from 'zod';
import { DecodeError } from '../domain/errors.ts';
import { decodeErrorBody, type ErrorBody } from '../exchange-api/error-body.ts';
import type { ErrorCode } from '../exchange-api/error-codes.ts';
import { decodeWith } from '../exchange-api/market-messages.ts';
import type { Reply } from '../exchange-api/reply.ts';
import { parseWireJson } from '../exchange-api/wire-json.ts';
import type { HttpOutcome } from './http.ts';
import { exchangeTimeMsOf, retryAfterMsOf } from './reply-headers.ts';

/**
 * What a status says when its body has no code: the key or the call rate is refused, whatever the
 * path.
 */
const codeOfStatus: Readonly<Record<number, ErrorCode>> = {
  401: 'ErrUnauthorised',
  403: 'ErrInsufficientPerms',
  429: 'ErrTooManyRequests',
};

const messageLengthMax = 500;

/** Without streaming it keeps nothing between two texts. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

type Answer = Extract<HttpOutcome, { kind: 'answer' }>;

/**
 * Reads the outcome of a request whose response `schema` describes. `hide` is applied to text that
 * came from outside. Never throws.
 */
export function readReply(
  outcome: HttpOutcome,
  schema: z.ZodType,
  name: string,
  hide: (text: string) => string,
): Reply {
  if (outcome.kind === 'not-sent') return outcome;
  if (outcome.kind === 'no-answer') {
    const { reason, status, headers } = outcome;
    const exchangeTimeMs = headers === undefined ? undefined : exchangeTimeMsOf(headers);
    return { kind: 'no-answer', reason, status, exchangeTimeMs };
  }
  const { status, headers } = outcome;
  const exchangeTimeMs = exchangeTimeMsOf(headers);
  const noAnswer = (reason: string): Reply => ({
    kind: 'no-answer',
    reason: shortened(hide(reason)),
    status,
    exchangeTimeMs,
  });

  const body = status === 204 ? { value: {} } : bodyOf(outcome);
  if (status >= 200 && status < 300) {
    if ('unreadable' in body) return noAnswer(`${name}: ${body.unreadable}`);
    try {
      const decoded = decodeWith(schema, body.value, name);
      return { kind: 'ok', status, body: decoded, exchangeTimeMs };
    } catch (error) {
      return noAnswer(error instanceof DecodeError ? error.message : `${name}: unreadable body`);
    }
  }
  // A proxy's redirect says nothing about the request, whatever its body.
  if (status < 400) return noAnswer(`${name}: redirect or odd status ${status}`);

  const error = 'unreadable' in body ? undefined : decodeErrorBody(body.value);
  const code = error?.code ?? codeOfStatus[status];
  if (code === undefined) return noAnswer(`${name}: status ${status} without an error code`);
  return {
    kind: 'refused',
    status,
    code: hide(code),
    message: shortened(
      hide(error === undefined ? `status ${status} without an error code` : wordsOf(error)),
    ),
    exchangeTimeMs,
    retryAfterMs: retryAfterMsOf(headers),
  };
}

/** Returns the message, and the parameters that it is about where it does not name them itself. */
function wordsOf({ message, fields = [] }: ErrorBody): string {
  const unnamed = fields.filter((field) => !message.includes(field));
  return unnamed.length === 0 ? message : `${message} (${unnamed.join(', ')})`;
}

function bodyOf(answer: Answer): { readonly value: unknown } | { readonly unreadable: string } {
  const encoding = answer.headers['content-encoding'];
  // We ask for none; unpacking one would also need limits of its own.
  if (encoding !== undefined && encoding !== 'identity')
    return { unreadable: 'body is compressed, which was not asked for' };
  if (answer.body.length === 0) return { unreadable: 'empty body' };
  let text: string;
  try {
    text = utf8.decode(answer.body);
  } catch {
    return { unreadable: 'body is not UTF-8' };
  }
  try {
    return { value: parseWireJson(text) };
  } catch {
    return { unreadable: 'body is not JSON' };
  }
}

function shortened(text: string): string {
  return text.length <= messageLengthMax ? text : `${text.slice(0, messageLengthMax)}…`;
}
