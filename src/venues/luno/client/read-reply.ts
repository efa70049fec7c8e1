/**
 * Turns an HTTP answer into a {@link Reply}, which states only what the answer proves.
 *
 * Invariants: `ok` needs a 2xx with the declared body; `refused` needs an error body with a code,
 * or one of the three statuses that mean the same on every path. In particular, a 404 page does not
 * mean "order not found": the path may be wrong.
 */
import type * as z from 'zod';
import { DecodeError } from '../../../domain/errors.ts';
import { decodeErrorBody, type ErrorBody } from '../api/error-body.ts';
import type { ErrorCode } from '../api/error-codes.ts';
import { decodeWith } from '../api/market-messages.ts';
import { quickAnswer } from '../api/quick-answer.ts';
import type { Reply } from '../api/reply.ts';
import { parseWireJson } from '../api/wire-json.ts';
import type { HttpOutcome } from './http-exchange.ts';
import { callLimitOf, exchangeTimeMsOf, firstValueOf, retryAfterMsOf } from './reply-headers.ts';

/** The error code of a status without a code in its body: on every path, it refuses key or rate. */
const codeOfStatus: Readonly<Record<number, ErrorCode>> = {
  401: 'ErrUnauthorised',
  403: 'ErrInsufficientPerms',
  429: 'ErrTooManyRequests',
};

const messageLengthMax = 500;

/** Safe to share: without the `stream` option it keeps no state between two texts. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

type Answer = Extract<HttpOutcome, { kind: 'answer' }>;

/**
 * Returns the reply for the outcome of a request; `schema` describes the expected body. Applies
 * `hide` to text that came from outside. The limit of calls is read unless `countsCalls` is false:
 * for public data the exchange may count other calls. Never throws.
 */
export function readReply(
  outcome: HttpOutcome,
  schema: z.ZodType,
  name: string,
  hide: (text: string) => string,
  countsCalls = true,
): Reply {
  if (outcome.kind === 'not-sent') return outcome;
  if (outcome.kind === 'no-answer') {
    const { reason, status, headers } = outcome;
    const exchangeTimeMs = headers === undefined ? undefined : exchangeTimeMsOf(headers);
    return { kind: 'no-answer', reason, status, exchangeTimeMs };
  }
  const { status, headers } = outcome;
  const exchangeTimeMs = exchangeTimeMsOf(headers);
  const callLimit = countsCalls ? callLimitOf(headers) : undefined;
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
      const decoded = quickAnswer(name, body.value) ?? decodeWith(schema, body.value, name);
      return { kind: 'ok', status, body: decoded, exchangeTimeMs, callLimit };
    } catch (error) {
      return noAnswer(error instanceof DecodeError ? error.message : `${name}: unreadable body`);
    }
  }
  // A redirect, as from a proxy, proves nothing about the request, whatever its body.
  if (status < 400) return noAnswer(`${name}: redirect or unexpected status ${status}`);

  const error = 'unreadable' in body ? undefined : decodeErrorBody(body.value);
  const code = error?.code ?? codeOfStatus[status];
  if (code === undefined) return noAnswer(`${name}: status ${status} without an error code`);
  return {
    kind: 'refused',
    status,
    code: hide(code),
    message: shortened(
      hide(error === undefined ? `status ${status} without an error code` : messageOf(error)),
    ),
    exchangeTimeMs,
    callLimit,
    retryAfterMs: retryAfterMsOf(headers),
  };
}

/** Returns the message, followed by the fields in question that it does not name itself. */
function messageOf({ message, fields = [] }: ErrorBody): string {
  const unnamed = fields.filter((field) => !message.includes(field));
  return unnamed.length === 0 ? message : `${message} (${unnamed.join(', ')})`;
}

function bodyOf(answer: Answer): { readonly value: unknown } | { readonly unreadable: string } {
  const encoding = firstValueOf(answer.headers, 'content-encoding');
  // We do not ask for compression; unpacking would need a size limit of its own.
  if (encoding !== undefined && encoding !== 'identity')
    return { unreadable: 'body is compressed, which was not requested' };
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
