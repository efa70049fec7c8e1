/** A self-signed certificate for localhost, created for each run, in the form of `node:https`. */
import { makeIdentity } from '../../../../../src/venues/luno/simulator/server/certificate.ts';

/** Returns key and certificate as PEM text. */
export function selfSignedCertificate(): { readonly key: string; readonly cert: string } {
  const { key, certificate } = makeIdentity(Date.now());
  return { key, cert: certificate };
}
