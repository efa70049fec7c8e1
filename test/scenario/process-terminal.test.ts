/** The view of a real bot in a pseudo-terminal; `npm run prove -- terminal` looks at much more. */
import { afterEach, expect, test } from 'vitest';
import { Checks, TerminalPlace } from '../prove/terminal/terminal-place.ts';
import { agrees } from '../prove/terminal/terminal-truth.ts';
import { checkRestored } from '../prove/terminal/terminal-view-case.ts';

let place: TerminalPlace | undefined;
afterEach(() => place?.close());

test('shows the orders, the position and the fills of its database, and gives the terminal back', async () => {
  place = new TerminalPlace(undefined);
  const screen = await place.openDemo();
  expect(await agrees(screen, place.store)).toBeUndefined();
  screen.resize(200, 60);
  expect(await screen.shows(/^demo {2}(?:[^\n]*\n){59}[^\n]*Ctrl-C stops it/u)).toBe(true);
  expect(await agrees(screen, place.store)).toBeUndefined();
  screen.type('\u0003');
  expect(await screen.ended, screen.scrollback).toEqual({ code: 0, signal: null });
  const checks = new Checks();
  checkRestored('after Ctrl-C', screen, checks);
  expect(checks.violations).toEqual([]);
  expect(screen.scrollback).toMatch(/^open orders +0, 0 not known to have ended$/mu);
}, 180_000);

test('gives the terminal back when a strategy ends the process', async () => {
  place = new TerminalPlace(undefined);
  const screen = place.open(['start', place.writeSettings('process.exit(0);')]);
  expect(await screen.shows(/^demo {2}ACTIVE/u, 60_000), screen.scrollback).toBe(true);
  expect((await screen.ended).code).toBe(1);
  const checks = new Checks();
  checkRestored('after process.exit', screen, checks);
  expect(checks.violations).toEqual([]);
  expect(screen.scrollback).toMatch(/the process was ended by .*ends\.ts:\d+/u);
}, 120_000);
