/** A venue's file: addresses that cannot leak a key, and paths. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadVenue } from '../../../src/settings/load-venue.ts';
import { problemLines } from './bot-file.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-venues-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function load(baseUrl: string, rest = ''): ReturnType<typeof loadVenue> {
  const text = `version: 1\nbaseUrl: ${baseUrl}\nstreamUrl: wss://stream.example\n${rest}`;
  writeFileSync(join(folder, 'desk.yaml'), text);
  return loadVenue('desk', [folder]);
}

test('the simulator of the repository is on loopback', () => {
  const venues = fileURLToPath(new URL('../../../config/venues', import.meta.url));
  expect(new URL(loadVenue('simulator', [venues]).baseUrl).hostname).toBe('127.0.0.1');
});

test('addresses lose their last slash, and paths of operations are kept', () => {
  const venue = load('https://api.example/', 'paths: { markets: /api/exchange/1/markets }\n');
  expect(venue).toEqual({
    name: 'desk',
    baseUrl: 'https://api.example',
    streamUrl: 'wss://stream.example',
    paths: { markets: '/api/exchange/1/markets' },
    userStreamPath: '/api/1/userstream',
  });
});

test.each(['http://127.0.0.1:7400', 'http://[::1]:7400', 'http://localhost:7400'])(
  '%s may be unencrypted, because it does not leave the machine',
  (address) => {
    expect(load(address).baseUrl).toBe(address);
  },
);

test.each([
  ['http://api.example', 'plain text to another machine'],
  ['http://127.0.0.1.evil.example', 'a name that only looks like loopback'],
  ['ftp://127.0.0.1', 'another scheme'],
  ['https://id:hunter2@api.example', 'a secret in the address'],
  ['https://api.example/?key=hunter2', 'a query'],
])('%s is refused (%s) and not shown', (address) => {
  const lines = problemLines(() => load(address));
  expect(lines[0]).toMatch(
    /desk\.yaml:2:10: baseUrl: is not such an address; allowed: an address such as https:/u,
  );
  expect(lines.join()).not.toContain('hunter2');
});

test('a name cannot lead out of the folder', () => {
  expect(problemLines(() => loadVenue('../demo', [folder]))[0]).toMatch(/^venue must be a name/u);
});

test('a path must be a path', () => {
  const lines = problemLines(() => load('https://api.example', 'paths: { markets: "a b" }\n'));
  expect(lines[0]).toContain('desk.yaml:4:19: paths.markets: was "a b"; allowed: a path such as');
});

test('for an unknown venue the error lists the known ones and suggests the nearest', () => {
  const venues = join(import.meta.dirname, '../../../config/venues');
  expect(problemLines(() => loadVenue('simulatr', [venues]))).toEqual([
    `venue: was simulatr; allowed: the name of a file in ${venues}: simulator; try: simulator`,
  ]);
});

test('a venue of the project comes before a shipped one of its name', () => {
  const shipped = join(import.meta.dirname, '../../../config/venues');
  const text = 'version: 1\nbaseUrl: https://api.example\nstreamUrl: wss://stream.example\n';
  writeFileSync(join(folder, 'simulator.yaml'), text);
  expect(loadVenue('simulator', [folder, shipped]).baseUrl).toBe('https://api.example');
  rmSync(join(folder, 'simulator.yaml'));
  const { hostname } = new URL(loadVenue('simulator', [folder, shipped]).baseUrl);
  expect(hostname).toBe('127.0.0.1');
});
