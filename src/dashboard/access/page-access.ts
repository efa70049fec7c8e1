/**
 * Who may see the page, and who may command a bot. The view token is exchanged once for a cookie
 * that scripts of the page cannot read; scripts of a user send the token itself. Commands also need
 * the command token of the bot that they are for.
 *
 * Invariants: tokens are compared in constant time and are never in a log or an address that
 * reaches the server; wrong ones are counted, and the right one is always accepted.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { TokenGuard, type TokenVerdict } from '../../runtime/token-guard.ts';

export type ViewVerdict = TokenVerdict | 'missing';

export type PageAccessOptions = {
  readonly viewToken: string;
  /** The id of the bot, which no other bot of the user has. */
  readonly bot: string;
  /** Reads a monotonic clock. */
  readonly nowMs: () => number;
  /** Receives warnings of wrong tokens, without them. */
  readonly warn: (text: string) => void;
};

/** The longest that a browser may keep a cookie. */
const cookieSeconds = 400 * 86_400;

export class PageAccess {
  readonly #options: PageAccessOptions;
  readonly #view: TokenGuard;
  readonly #commands = new Map<string, TokenGuard>();
  /** A cookie has the bot in its name, because the ports of a machine share cookies. */
  readonly #cookie: string;
  readonly #session: string;

  constructor(options: PageAccessOptions) {
    const { viewToken, bot, nowMs, warn } = options;
    this.#options = options;
    this.#cookie = `millrace-${bot}`;
    // The cookie is not the token, so whoever finds it cannot make an address of it.
    this.#session = createHmac('sha256', viewToken).update('page session').digest('hex');
    const rights = [digestOf(`token ${viewToken}`), digestOf(`cookie ${this.#session}`)];
    this.#view = new TokenGuard({
      what: 'the page',
      isRight: (given) => {
        const digest = digestOf(given ?? '');
        return rights.map((right) => timingSafeEqual(right, digest)).includes(true);
      },
      nowMs,
      warn,
    });
  }

  /** Judges the cookie or the bearer token of a request. */
  viewOf(headers: IncomingHttpHeaders): ViewVerdict {
    const bearer = /^Bearer (\S{1,200})$/u.exec(headers.authorization ?? '')?.[1];
    if (bearer !== undefined) return this.#view.judge(`token ${bearer}`);
    const session = cookieOf(headers.cookie ?? '', this.#cookie);
    return session === undefined ? 'missing' : this.#view.judge(`cookie ${session}`);
  }

  /** Judges the view token that is exchanged for a cookie. */
  exchange(token: string): TokenVerdict {
    return this.#view.judge(`token ${token}`);
  }

  /** The header that sets the cookie. */
  cookie(): string {
    return `${this.#cookie}=${this.#session}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${cookieSeconds}`;
  }

  /** Judges a command token; `right` is the token of the bot `id`. */
  commandOf(id: string, right: string, given: string | undefined): ViewVerdict {
    if (given === undefined) return 'missing';
    const digest = digestOf(right);
    let guard = this.#commands.get(id);
    if (guard === undefined) {
      const { nowMs, warn } = this.#options;
      const isRight = (pair: string | undefined): boolean => {
        const [wanted = '', token = ''] = (pair ?? '').split(' ');
        return timingSafeEqual(Buffer.from(wanted, 'hex'), digestOf(token));
      };
      guard = new TokenGuard({ what: `the commands of ${id}`, isRight, nowMs, warn });
      this.#commands.set(id, guard);
    }
    // The file may have been replaced since, so the right token comes with each question.
    return guard.judge(`${digest.toString('hex')} ${given.replaceAll(' ', '?')}`);
  }
}

/** All digests have the same length, so comparing them tells nothing of the token's length. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function cookieOf(header: string, name: string): string | undefined {
  for (const part of header.split(';')) {
    const [key, value] = part.trim().split('=', 2);
    if (key === name && value !== undefined) return value.slice(0, 200);
  }
  return undefined;
}
