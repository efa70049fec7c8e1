/** docs/backtests.md explains every key of a scenario. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadScenario } from '../../../src/settings/load-scenario.ts';

/** Returns the keys from the error message for an empty file. */
function allowedKeys(): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-scenario-'));
  try {
    writeFileSync(join(folder, 'scenario.yaml'), '');
    loadScenario(join(folder, 'scenario.yaml'));
    return [];
  } catch (error) {
    return /allowed: a map with (.*)$/u.exec(String(error))?.[1]?.split(', ') ?? [];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('each key of a scenario has its row', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/backtests.md'), 'utf8');
  const section =
    page.split(/^## /mu).find((text) => text.startsWith('Keys of a scenario\n')) ?? '';
  const rows = [...section.matchAll(/^\| (?<keys>`[^|]+) \|/gmu)].flatMap(({ groups }) =>
    [...(groups?.['keys'] ?? '').matchAll(/`(\w+)`/gu)].map(([, key]) => key),
  );
  const keys = allowedKeys();
  expect(keys).toContain('botFile');
  expect([...rows].sort()).toEqual([...keys].sort());
});
