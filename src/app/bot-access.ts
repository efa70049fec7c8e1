/** How a verb gets at a bot's exchange: its address and its key. */
import { isThisMachine } from '../client/address.ts';
import type { Credentials } from '../client/credentials.ts';
import type { VenueSettings } from '../domain/bot-settings.ts';
import { ConfigError } from '../domain/errors.ts';
import { type Environment, readSecret } from '../runtime/secrets.ts';
import { readCredentials } from '../simulator/credentials-file.ts';
import { simulatorFolder } from './exchange-verb.ts';

const keyIdName = 'MILLRACE_API_KEY_ID';
const keySecretName = 'MILLRACE_API_KEY_SECRET';

/** Whether a venue is on this machine, so that only a simulator can be behind it. */
export function isLoopback(venue: VenueSettings): boolean {
  return [venue.baseUrl, venue.streamUrl].every((url) => isThisMachine(new URL(url).hostname));
}

/**
 * Returns the key that the environment gives, else the one that the simulator in `home` has issued
 * for us if `isSimulated`. Throws ConfigError if there is none.
 */
export function credentialsFor(options: {
  readonly environment: Environment;
  readonly isSimulated: boolean;
  readonly home: string;
}): Credentials {
  const keyId = readSecret(keyIdName, options.environment);
  const keySecret = readSecret(keySecretName, options.environment);
  if (keyId !== undefined && keySecret !== undefined) return { keyId, keySecret };
  if (options.isSimulated) {
    const issued = readCredentials(simulatorFolder(options.home));
    return { keyId: issued.api_key_id, keySecret: issued.api_key_secret };
  }
  throw new ConfigError(
    `no API key: set ${keyIdName}_FILE and ${keySecretName}_FILE to files that only you can read`,
  );
}
