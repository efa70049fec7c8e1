/** Faults of the requests that change something: placing an order and stopping one. */
import { gzipSync } from 'node:zlib';
import {
  answerInstead,
  answerOf,
  answerOtherwise,
  changeBody,
  cutBody,
  type Deed,
  delay,
  delayAnswer,
  drip,
  errorOf,
  lose,
  loseAnswer,
  misstateLength,
  page,
  repeat,
  repeatLater,
  resetAfter,
  resetBefore,
  resetInHeaders,
  to,
} from './deeds.ts';
import type { Fault } from './fault.ts';
import type { Answer } from './http-exchange.ts';

/** Where an order did not arrive, it takes longer until that is certain. */
const lost = { isLosing: true };

const placing = (name: string, deed: () => Deed, more: Partial<Fault> = {}): Fault => ({
  name: `post ${name}`,
  hooks: () => to(['postorder'], deed()),
  ...more,
});

/** Meets orders that the exchange takes. A refusal passes: a lost one leaves no order. */
const taking = (name: string, deed: () => Deed, more: Partial<Fault> = {}): Fault =>
  placing(
    name,
    () => {
      const done = deed();
      return async (exchange) => {
        const answer = await exchange.forwardFirst();
        if (answer.status === 200) await done(exchange);
        else exchange.reply(answer);
      };
    },
    more,
  );

const stopping = (name: string, deed: () => Deed, more: Partial<Fault> = {}): Fault => ({
  name: `stop ${name}`,
  hooks: () => to(['stoporder'], deed()),
  ...more,
});

/** Each order is answered with the id of the one before it. */
function answerIdBefore(): Deed {
  let before: Buffer | undefined;
  return answerOtherwise((answer) => {
    const body = before ?? answer.body;
    before = answer.body;
    return { ...answer, body };
  });
}

export const placingFaults: readonly Fault[] = [
  placing('lost', () => lose, lost),
  placing('reset before it arrives', () => resetBefore, lost),
  placing('answered 500, not taken', () => answerInstead(() => errorOf(500, 'ErrInternal')), lost),
  placing('answered 502 with a page, not taken', () => answerInstead(() => page(502)), lost),
  placing('answered 503, not taken', () => answerInstead(() => page(503)), lost),
  placing('redirected', () => answerInstead(() => redirect()), lost),
  taking('answer lost', () => loseAnswer),
  taking('reset after it arrived', () => resetAfter),
  taking('reset in the headers of the answer', () => resetInHeaders),
  taking('answer after the deadline', () => delayAnswer(6_000)),
  placing('arrives late', () => delay(1_200)),
  placing('arrives after its time to live', () => delay(3_000), lost),
  taking('arrives twice', () => repeat),
  taking('arrives again later', () => repeatLater(1_500)),
  taking('answered 500, taken', () => answerOtherwise(() => errorOf(500, 'ErrInternal'))),
  taking('answered 502 with a page, taken', () => answerOtherwise(() => page(502))),
  taking('answered 503, taken', () => answerOtherwise(() => page(503))),
  placing('answered 429, not taken', () => answerInstead(() => tooMany()), lost),
  taking('answered 429, taken', () => answerOtherwise(() => tooMany())),
  taking('answered with a deadline exceeded, taken', () =>
    answerOtherwise(() => errorOf(400, 'ErrDeadlineExceeded')),
  ),
  taking('body cut off', () => cutBody),
  taking('body is no JSON', () => answerOtherwise(() => answerOf(200, '{"order_id":'))),
  taking('body is a page', () => answerOtherwise(() => page(200))),
  taking('body is empty', () => answerOtherwise(() => answerOf(200, ''))),
  taking('body without the id', () => answerOtherwise(() => answerOf(200, '{}'))),
  taking('body longer than stated', () => misstateLength(-5)),
  taking('body shorter than stated', () => misstateLength(50)),
  taking('body compressed', () =>
    answerOtherwise((answer) => ({
      ...answer,
      headers: { ...answer.headers, 'content-encoding': 'gzip' },
      body: gzipSync(answer.body),
    })),
  ),
  taking('body compressed, and torn', () =>
    answerOtherwise((answer) => ({
      ...answer,
      headers: { ...answer.headers, 'content-encoding': 'gzip' },
      body: gzipSync(answer.body).subarray(0, 9),
    })),
  ),
  taking('answer byte by byte', () => drip(60)),
  taking('answered with the id of another order', answerIdBefore, {
    halts: /was answered/u,
  }),
  placing('answered 401', () => answerInstead(() => errorOf(401, 'ErrUnauthorised')), {
    ...lost,
    halts: /refuses the key/u,
  }),
];

export const stoppingFaults: readonly Fault[] = [
  stopping('lost', () => lose),
  stopping('answer lost', () => loseAnswer),
  stopping('arrives twice', () => repeat),
  stopping('answered 500, done', () => answerOtherwise(() => errorOf(500, 'ErrInternal'))),
  stopping('answered 429, not done', () => answerInstead(() => tooMany())),
  stopping('said to be done, and is not', () =>
    answerInstead(() => answerOf(200, '{"success":true}')),
  ),
  stopping('said not to be done, and is', () => changeBody(() => ({ success: false }))),
  stopping('refused', () =>
    answerInstead(() => errorOf(400, 'ErrCannotStopUnknownOrNonPendingOrder')),
  ),
];

function tooMany(): Answer {
  return errorOf(429, 'ErrTooManyRequests');
}

function redirect(): Answer {
  return answerOf(307, '', { location: '/api/1/postorder' });
}
