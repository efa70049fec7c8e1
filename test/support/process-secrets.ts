/**
 * Searches what a run has left behind for a secret, in every form that text is known to give it. It
 * shares no code with the filter that keeps secrets out.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the forms of `secret`, which belongs to the key `id`. */
export function formsOf(secret: string, id: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const pair = Buffer.from(`${id}:${secret}`);
  const json = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    json,
    JSON.stringify(json).slice(1, -1),
    encodeURIComponent(secret),
    encodeURI(secret),
    new URLSearchParams({ s: secret }).toString().slice(2),
    ...[bytes, pair].flatMap((one) => [
      one.toString('base64').replace(/=+$/u, ''),
      one.toString('base64url'),
      one.toString('hex'),
      one.toString('hex').toUpperCase(),
      [...one].join(','),
    ]),
  ];
}

/** Returns where a form of the secret stands, as "file: form"; `texts` are by name. */
export function findIn(
  texts: ReadonlyMap<string, string>,
  forms: readonly string[],
): readonly string[] {
  return [...texts].flatMap(([name, text]) =>
    [...new Set(forms)].filter((form) => text.includes(form)).map((form) => `${name}: ${form}`),
  );
}

/** Returns the content of every file under `folder`, byte by byte as text, by its path in there. */
export function filesUnder(folder: string): Map<string, string> {
  return new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'latin1')]),
  );
}
