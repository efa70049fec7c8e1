/**
 * Checks a base address before anything is sent to it.
 *
 * Invariant: only traffic within this machine may be unencrypted.
 */
import { ConfigError } from '../../../domain/errors.ts';
import { isThisMachine } from '../../../domain/this-machine.ts';

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
