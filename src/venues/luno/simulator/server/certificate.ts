/**
 * A self-signed TLS certificate, created without an external program.
 *
 * It names only localhost, 127.0.0.1 and ::1, so whoever trusts it trusts only servers on this
 * machine.
 */

import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Forge from 'node-forge';
import { StoreError } from '../../../../domain/errors.ts';
import { attempt, writeAtomically } from '../../../../runtime/durable-file.ts';
import { randomToken } from '../../../../runtime/system-random.ts';
import type { TlsIdentity } from './listener.ts';

const dayMs = 86_400_000;
const validDays = 3650;

/** Kinds of alternative names in X.509. */
const dnsName = 2;
const ipAddress = 7;

/**
 * Returns the path of the certificate of the exchange in `folder`, for clients that must trust it.
 */
export function certificatePath(folder: string): string {
  return join(folder, 'tls-certificate.pem');
}

/**
 * Returns the identity in `folder`. Creates and stores a new one if it is missing or has expired.
 * Throws {@link StoreError} if the files cannot be read or are damaged.
 */
export function issueIdentity(folder: string, nowMs: number): TlsIdentity {
  const keyPath = join(folder, 'tls-key.pem');
  const path = certificatePath(folder);
  if (existsSync(keyPath) && existsSync(path)) {
    const key = attempt(keyPath, () => readFileSync(keyPath, 'utf8'));
    const certificate = attempt(path, () => readFileSync(path, 'utf8'));
    const parsed = attempt(path, () => parse(path, certificate));
    if (Date.parse(parsed.validTo) > nowMs) return { key, certificate };
  }
  const identity = makeIdentity(nowMs);
  writeAtomically(keyPath, Buffer.from(identity.key));
  writeAtomically(path, Buffer.from(identity.certificate), 0o644);
  return identity;
}

/**
 * Returns a new key and its certificate, valid from one day before `nowMs` to ten years after it.
 */
export function makeIdentity(nowMs: number): TlsIdentity {
  // Only an exchange with TLS needs it, and only once.
  const require = createRequire(import.meta.url);
  const { md, pki } = require('node-forge') as typeof Forge;
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const certificate = pki.createCertificate();
  certificate.publicKey = pki.publicKeyFromPem(publicKey);
  // A first bit of 1 would make it negative.
  certificate.serialNumber = `01${randomToken(15)}`;
  certificate.validity.notBefore = new Date(nowMs - dayMs);
  certificate.validity.notAfter = new Date(nowMs + validDays * dayMs);
  const name = [{ name: 'commonName', value: 'millrace simulated exchange' }];
  certificate.setSubject(name);
  certificate.setIssuer(name);
  certificate.setExtensions([
    { name: 'basicConstraints', critical: true, cA: true },
    {
      name: 'subjectAltName',
      altNames: [
        { type: dnsName, value: 'localhost' },
        { type: ipAddress, ip: '127.0.0.1' },
        { type: ipAddress, ip: '::1' },
      ],
    },
  ]);
  certificate.sign(pki.privateKeyFromPem(privateKey), md.sha256.create());
  return { key: privateKey, certificate: pki.certificateToPem(certificate) };
}

function parse(path: string, certificate: string): X509Certificate {
  try {
    return new X509Certificate(certificate);
  } catch (cause) {
    throw new StoreError(`${path}: not a certificate`, { cause });
  }
}
