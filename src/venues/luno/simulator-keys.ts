/** The keys that the simulated exchange in a folder has issued. */
import type { Credentials } from '../../venue/key-credentials.ts';
import { credentialsPath, readCredentials } from './simulator/server/credentials-file.ts';

export type SimulatorKeys = {
  /** With the permissions that a bot needs. */
  readonly trading: Credentials;
  readonly readOnly: Credentials;
};

/** The path of the file of the keys, which exists once the exchange has run. */
export const simulatorKeysPath = credentialsPath;

/** Throws StoreError if the file is missing or damaged. */
export function simulatorKeysIn(folder: string): SimulatorKeys {
  const { read_only: readOnly, ...trading } = readCredentials(folder);
  return { trading: credentialsOf(trading), readOnly: credentialsOf(readOnly) };
}

function credentialsOf(key: {
  readonly api_key_id: string;
  readonly api_key_secret: string;
}): Credentials {
  return { keyId: key.api_key_id, keySecret: key.api_key_secret };
}
