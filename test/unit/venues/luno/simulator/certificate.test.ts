/** The self-signed certificate of the simulated exchange. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  certificatePath,
  issueIdentity,
  makeIdentity,
} from '../../../../../src/venues/luno/simulator/server/certificate.ts';

const nowMs = Date.parse('2026-11-20T12:00:00Z');
const dayMs = 86_400_000;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-certificate-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('it is signed by its own key and names only this machine', () => {
  const { key, certificate } = makeIdentity(nowMs);
  const parsed = new X509Certificate(certificate);
  expect(parsed.verify(parsed.publicKey)).toBe(true);
  expect(parsed.checkPrivateKey(createPrivateKey(key))).toBe(true);
  expect(parsed.subjectAltName).toBe(
    'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1',
  );
  expect(parsed.checkHost('localhost')).toBe('localhost');
  expect(parsed.checkIP('127.0.0.1')).toBe('127.0.0.1');
  expect(parsed.checkHost('example.com')).toBeUndefined();
  expect(parsed.ca).toBe(true);
});

test.each([nowMs, Date.parse('2045-06-30T23:59:59Z')])(
  'it is valid from one day before %i to ten years after it, also beyond 2049',
  (atMs) => {
    const parsed = new X509Certificate(makeIdentity(atMs).certificate);
    expect(Date.parse(parsed.validFrom)).toBe(atMs - dayMs);
    expect(Date.parse(parsed.validTo)).toBe(atMs + 3650 * dayMs);
  },
);

test('no two certificates have the same serial number', () => {
  const numbers = Array.from(
    { length: 5 },
    () => new X509Certificate(makeIdentity(nowMs).certificate).serialNumber,
  );
  expect(new Set(numbers).size).toBe(5);
});

test('it is created once, only its owner can read its key, and it is replaced when it has expired', () => {
  const first = issueIdentity(folder, nowMs);
  expect(issueIdentity(folder, nowMs + 3649 * dayMs)).toEqual(first);
  expect(statSync(join(folder, 'tls-key.pem')).mode & 0o777).toBe(0o600);
  expect(issueIdentity(folder, nowMs + 3651 * dayMs)).not.toEqual(first);
});

test('a file that is not a certificate is refused, and the error names it', () => {
  issueIdentity(folder, nowMs);
  writeFileSync(certificatePath(folder), 'nonsense');
  expect(() => issueIdentity(folder, nowMs)).toThrow(/tls-certificate\.pem: not a certificate/u);
});
