/**
 * Checks a base address before anything is sent to it.
 *
 * Invariant: only traffic within this machine may be unencrypted.
 */
import type { VenueSettings } from '../../../domain/bot-settings.ts';
import { ConfigError } from '../../../domain/errors.ts';

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u;

/** Returns whether a URL's host name means this machine. */
function isThisMachine(hostname: string): boolean {
  return loopback.test(hostname);
}

/** Returns whether everything that a bot of `venue` sends stays on this machine. */
export function isLoopback(venue: VenueSettings): boolean {
  return [venue.baseUrl, venue.streamUrl].every((url) => isThisMachine(new URL(url).hostname));
}

/**
 * Splits an address into origin and path, without a final slash. `scheme` is the encrypted scheme;
 * the unencrypted one is allowed for this machine only. Throws ConfigError that names `what`.
 */
export function checkedAddress(
  text: string,
  scheme: 'https' | 'wss',
  what: string,
): { readonly origin: string; readonly pathPrefix: string } {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw new ConfigError(`${what} is not an address`);
  if (url.username !== '' || url.password !== '')
    throw new ConfigError(`${what} must not contain credentials`);
  if (url.search !== '' || url.hash !== '')
    throw new ConfigError(`${what} must end with its path, was "${text}"`);
  const plainScheme = scheme === 'https' ? 'http:' : 'ws:';
  const isEncrypted = url.protocol === `${scheme}:`;
  if (!isEncrypted && !(url.protocol === plainScheme && isThisMachine(url.hostname)))
    throw new ConfigError(
      `${what} must begin with ${scheme}://, or ${plainScheme}// on this machine, was "${text}"`,
    );
  return {
    origin: `${url.protocol}//${url.host}`,
    pathPrefix: url.pathname.replace(/\/+$/u, ''),
  };
}
