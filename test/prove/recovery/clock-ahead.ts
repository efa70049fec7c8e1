/**
 * The exchange's answers are dated three hours ahead for 20 s: the bot says so, no order is stamped
 * with that time, and it trades again within 30 s after it ends.
 */
import { ClockWatch } from '../../../src/engine/clock-watch.ts';
import { ExchangeClock } from '../../../src/execution/requests/exchange-clock.ts';
import { replaceMethod } from '../../support/replace-method.ts';
import { VirtualWorld } from '../../support/virtual-world.ts';
import type { RecoveryScenario } from './scenario.ts';

const aheadMs = 3 * 3_600_000;
const aheadSeconds = 20;
const backWithinSeconds = 30;

export const clockAhead: RecoveryScenario = {
  name: 'clock-ahead',
  runs: 6,
  plants: {
    'clock-remembered':
      "a stamp that was hours ahead stays in the estimate of the exchange's clock",
    'clock-unnamed': 'nothing says that the clocks differ',
  },
  play: async (seed, plant) => {
    const remove = plant === undefined ? () => {} : install(plant);
    try {
      return playOnce(seed);
    } finally {
      remove();
    }
  },
};

function playOnce(seed: number): readonly string[] {
  let aheadUntilMicros = 0;
  const notices: string[] = [];
  const world: VirtualWorld = new VirtualWorld({
    seed,
    level: 0,
    withChaos: false,
    refresh: '3s',
    halfSpread: '40bps',
    tamper: (_request, response) => {
      if (world.time.nowMicros > aheadUntilMicros) return response;
      const date = new Date(world.time.nowMicros / 1000 + aheadMs).toUTCString();
      return { ...response, headers: { ...response.headers, date } };
    },
    onNotice: (line) => notices.push(line),
  });
  world.begin();
  world.pass(15);
  aheadUntilMicros = world.time.nowMicros + aheadSeconds * 1e6;
  world.pass(aheadSeconds);
  const accepted = world.witness.accepted;
  world.pass(backWithinSeconds);
  const found = world.witness.violations.slice();
  if (!notices.some((line) => /clock.* s ahead of this machine/u.test(line)))
    found.push('nothing said that the clock of the answers was ahead');
  if (world.witness.accepted === accepted)
    found.push(`no order was placed within ${backWithinSeconds} s after the clock was right again`);
  return found;
}

function install(plant: string): () => void {
  if (plant === 'clock-unnamed')
    return replaceMethod(ClockWatch.prototype, 'note', () => () => undefined);
  const kept = new WeakMap<ExchangeClock, number>();
  return replaceMethod(ExchangeClock.prototype, 'observe', (real) => {
    return function (this: ExchangeClock, stampMs, arrivedMs) {
      const offsetMs = Math.max(stampMs - arrivedMs, kept.get(this) ?? Number.NEGATIVE_INFINITY);
      kept.set(this, offsetMs);
      real.call(this, offsetMs + arrivedMs, arrivedMs);
    };
  });
}
