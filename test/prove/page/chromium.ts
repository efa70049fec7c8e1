/** A real Chromium for the proof: Debian's, installed when it is missing. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const places = [
  ...['/usr/bin/chromium', '/usr/bin/chromium-headless-shell', '/usr/bin/chromium-browser'],
  ...['/usr/bin/google-chrome', '/opt/google/chrome/chrome'],
];

/** Returns the path of a browser; undefined if there is none and none can be installed. */
export function findChromium(): string | undefined {
  const found = places.find((place) => existsSync(place));
  if (found !== undefined || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    return found;
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore' });
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], {
    stdio: 'ignore',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  return places.find((place) => existsSync(place));
}

export function launchChromium(executablePath: string): Promise<Browser> {
  // Chromium refuses its sandbox to root.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args });
}
