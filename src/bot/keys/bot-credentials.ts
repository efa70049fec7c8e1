/** Finds a bot's API key: in the environment, or in the folder of its home's simulator. */
import { existsSync } from 'node:fs';
import type { Mode } from '../../domain/bot-settings.ts';
import { ConfigError, NotFoundError } from '../../domain/errors.ts';
import { secretLengthMin } from '../../runtime/secret-filter.ts';
import { type Environment, readSecret } from '../../runtime/secrets.ts';
import type { Credentials } from '../../venue/key-credentials.ts';
import { simulatorKeysIn, simulatorKeysPath } from '../../venues.ts';
import { simulatorFolder } from '../state-place.ts';

export const keyIdName = 'MILLRACE_API_KEY_ID';
export const keySecretName = 'MILLRACE_API_KEY_SECRET';

/** Whether the environment gives a key, so that the simulator's key is not used. */
export function isKeyGiven(environment: Environment): boolean {
  return [keyIdName, keySecretName].every((name) => readSecret(name, environment) !== undefined);
}

/**
 * Returns the key of a bot of `mode` with its state in `home`. Throws ConfigError for a missing or
 * incomplete key, NotFoundError if a demo's simulator has issued no key.
 */
export function credentialsOf(environment: Environment, mode: Mode, home: string): Credentials {
  const keyId = readSecret(keyIdName, environment);
  const keySecret = readSecret(keySecretName, environment);
  if (keyId !== undefined && keySecret !== undefined) {
    if (keySecret.length >= secretLengthMin) return { keyId, keySecret };
    throw new ConfigError(
      `${keySecretName}: must have ${secretLengthMin} characters or more, has ${keySecret.length}; was it cut short?`,
    );
  }
  if (keyId !== undefined || keySecret !== undefined) {
    const [given, missing] =
      keyId !== undefined ? [keyIdName, keySecretName] : [keySecretName, keyIdName];
    throw new ConfigError(`${given} is set, but ${missing} is not; a key needs both`);
  }
  const hint = `set ${keyIdName}_FILE and ${keySecretName}_FILE to files that only you can read`;
  if (mode === 'demo') {
    const folder = simulatorFolder(home);
    if (!existsSync(simulatorKeysPath(folder)))
      throw new NotFoundError(
        `no simulated exchange in ${home}, whose key a demo uses: give the home of a demo that has run (--home), or ${hint}`,
      );
    // The simulator of the same home has issued a key for us.
    return simulatorKeysIn(folder).trading;
  }
  throw new ConfigError(`no API key: ${hint}`);
}
