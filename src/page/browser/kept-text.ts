/**
 * Small texts that the browser keeps: settings of the page across visits, and secrets for one tab.
 * Storage may be forbidden, as in a private window; then they last as long as the page.
 */

export type Keeping = 'browser' | 'tab';

const memory = new Map<string, string>();

function storageOf(keeping: Keeping): Storage | undefined {
  try {
    return keeping === 'browser' ? localStorage : sessionStorage;
  } catch {
    return undefined;
  }
}

export function keptText(keeping: Keeping, key: string): string | undefined {
  try {
    return storageOf(keeping)?.getItem(key) ?? memory.get(key);
  } catch {
    return memory.get(key);
  }
}

/** Keeps `text` under `key`; undefined forgets it. */
export function keepText(keeping: Keeping, key: string, text: string | undefined): void {
  if (text === undefined) memory.delete(key);
  else memory.set(key, text);
  try {
    if (text === undefined) storageOf(keeping)?.removeItem(key);
    else storageOf(keeping)?.setItem(key, text);
  } catch {
    // It stays in memory.
  }
}
