/** The driver of the terminal view: what it writes, when, and how it ends. */
import { expect, test } from 'vitest';
import { RecentNotes } from '../../../src/terminal/view/recent-notes.ts';
import { TerminalView } from '../../../src/terminal/view/terminal-view.ts';
import { sampleMs, sampleStatus } from '../../support/view-status.ts';
import { FakeTimers } from '../venues/luno/client/fake-timers.ts';

function viewOn() {
  const timers = new FakeTimers();
  const notes = new RecentNotes((text) => text);
  notes.addLine('! before the view');
  const events: string[] = [];
  const device = {
    ...{ size: { columns: 80, rows: 24 }, isFree: true, isFront: true },
    isReady: () => device.isFree,
    isForeground: () => device.isFront,
    write: (text: string) => void events.push(text),
    enter: () => void events.push('enter'),
    leave: () => void events.push('leave'),
  };
  const state = { status: sampleStatus(), composed: 0, errors: [] as unknown[], fails: false };
  const view = new TerminalView({
    ...{ device, timers, notes },
    statusOf: () => {
      state.composed++;
      if (state.fails) throw new Error('no status');
      return state.status;
    },
    texts: { page: undefined, log: 'demo.log', commandOf: () => '' },
    coloured: (_style, text) => text,
    onError: (error) => void state.errors.push(error),
  });
  return { timers, notes, events, device, state, view };
}

test('it draws four times a second, and writes what has changed', () => {
  const { timers, events, state } = viewOn();
  timers.advance(250);
  expect(events.filter((text) => text !== 'enter')).toHaveLength(1);
  timers.advance(750);
  expect(state.composed).toBe(4);
  expect(events.filter((text) => text !== 'enter')).toHaveLength(1);
  state.status = sampleStatus({ atMs: sampleMs + 1_000 });
  timers.advance(250);
  expect(events.at(-1)).toContain('14:20:34');
  expect(events.at(-1)).not.toContain('own orders');
  // Everything again now and then.
  timers.advance(5_000);
  expect(events.slice(-3).join('')).toContain('own orders');
});

test('a terminal that takes nothing gets nothing, and no status is composed for it', () => {
  const { timers, events, device, state } = viewOn();
  timers.advance(250);
  device.isFree = false;
  state.status = sampleStatus({ bot: 'other' });
  const before = [events.length, state.composed];
  timers.advance(10_000);
  expect([events.length, state.composed]).toEqual(before);
  device.isFree = true;
  timers.advance(250);
  expect(events.at(-1)).toContain('other');
});

test('another size is drawn completely', () => {
  const { timers, events, device } = viewOn();
  timers.advance(500);
  device.size = { columns: 200, rows: 60 };
  timers.advance(250);
  expect(events.at(-1)).toContain('own orders');
  expect(events.at(-1)).toContain('\u001b[60;1H');
});

test('in the background it gives the terminal back, and shows everything again in front', () => {
  const { timers, events, device } = viewOn();
  timers.advance(250);
  device.isFront = false;
  timers.advance(1_000);
  expect(events.slice(-1)).toEqual(['leave']);
  device.isFront = true;
  timers.advance(250);
  expect(events.slice(-2)[0]).toBe('enter');
  expect(events.at(-1)).toContain('own orders');
});

test('its end gives the terminal back, and returns the warnings since its begin', () => {
  const { timers, events, notes, view } = viewOn();
  timers.advance(250);
  notes.addLine('routine');
  notes.addNotice({ level: 'alarm', topic: 'incident', text: 'LEDGER_BROKEN: odd' }, sampleMs);
  expect(view.end()).toEqual([
    'warnings of the view; all lines are in demo.log',
    '14:20:33 # LEDGER_BROKEN: odd',
  ]);
  expect(events.at(-1)).toBe('leave');
  const count = events.length;
  timers.advance(10_000);
  expect(events).toHaveLength(count);
});

test('an error is reported and thrown at nobody', () => {
  const { timers, state } = viewOn();
  state.fails = true;
  timers.advance(250);
  expect(state.errors).toEqual([new Error('no status')]);
});
