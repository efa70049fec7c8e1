/**
 * A self-signed TLS certificate, created without an external program.
 *
 * It names only localhost, 127.0.0.1 and ::1, so whoever trusts it trusts only servers on this
 * machine. X.509 in DER (RFC 5280) with an elliptic-curve key.
 */
import { generateKeyPairSync, sign, X509Certificate } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from '../../domain/errors.ts';
import { randomToken } from '../../runtime/system-random.ts';
import { attempt } from './command-log.ts';
import type { TlsIdentity } from './listener.ts';
import { writeAtomically } from './state-folder.ts';

const dayMs = 86_400_000;
const validDays = 3650;

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
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const name = sequence(set(sequence(oids.commonName, utf8('millrace simulated exchange'))));
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))), // Version 3.
    integer(Buffer.from(`01${randomToken(15)}`, 'hex')),
    oids.ecdsaWithSha256,
    name,
    sequence(time(nowMs - dayMs), time(nowMs + validDays * dayMs)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(basicConstraints, alternativeNames)),
  );
  const signature = sign('sha256', body, privateKey);
  const whole = sequence(body, oids.ecdsaWithSha256, der(0x03, Buffer.from([0]), signature));
  const lines = whole.toString('base64').match(/.{1,64}/gu) ?? [];
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}

function parse(path: string, certificate: string): X509Certificate {
  try {
    return new X509Certificate(certificate);
  } catch (cause) {
    throw new StoreError(`${path}: not a certificate`, { cause });
  }
}

/** One DER value: tag, length, content. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: readonly Uint8Array[]): Buffer {
  return der(0x30, ...parts);
}

function set(...parts: readonly Uint8Array[]): Buffer {
  return der(0x31, ...parts);
}

function utf8(text: string): Buffer {
  return der(0x0c, Buffer.from(text));
}

/** The first bit of `bytes` must be 0, otherwise the number would be negative. */
function integer(bytes: Uint8Array): Buffer {
  return der(0x02, bytes);
}

function oid(...bytes: readonly number[]): Buffer {
  return der(0x06, Buffer.from(bytes));
}

/** Encodes years until 2049 with two digits, later years with four. */
function time(timeMs: number): Buffer {
  const digits = new Date(timeMs).toISOString().replace(/[-:T]|\.\d+/gu, '');
  return digits < '2050' ? der(0x17, Buffer.from(digits.slice(2))) : der(0x18, Buffer.from(digits));
}

const oids = {
  ecdsaWithSha256: sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02)),
  commonName: oid(0x55, 0x04, 0x03),
};
const isTrue = der(0x01, Buffer.from([0xff]));
const basicConstraints = sequence(
  oid(0x55, 0x1d, 0x13),
  isTrue, // Critical.
  der(0x04, sequence(isTrue)), // It is a certificate authority.
);
const alternativeNames = sequence(
  oid(0x55, 0x1d, 0x11),
  der(
    0x04,
    sequence(
      der(0x82, Buffer.from('localhost')),
      der(0x87, Buffer.from([127, 0, 0, 1])),
      der(0x87, Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])),
    ),
  ),
);
