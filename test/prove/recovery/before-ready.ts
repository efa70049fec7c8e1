/**
 * The market's stream stays away for a while, and longer than trades count, so that at first
 * nothing can be judged. The strategy starts when it can, one line says until then what is missing,
 * none of its first orders is refused for it, and it buys what it wanted, once.
 */
import { map, merge, of } from 'rxjs';
import { StrategyStarter } from '../../../src/engine/strategy-starter.ts';
import type { Intent, Lots } from '../../../src/index.ts';
import { codes, posts, type Run, strategyOf } from '../../support/scripted-world.ts';
import { VirtualWorld } from '../../support/virtual-world.ts';
import { withPlant } from './plant.ts';
import type { RecoveryScenario } from './scenario.ts';

const size = 1_000;
/** Refusals for what is not known yet. */
const early = /^(?:TRADES_STALE|COLLAR_|FUNDS|BOOK_|NOT_RECONCILED|CLOCK_SKEW|SLIPPAGE|BUDGET)/u;

/** Less than this cannot be bought alone; a fee may leave so much missing. */
const volumeMin = 500;

/** Holds one position: asks for what is missing, at its start and ten times a second. */
const holderOf =
  (held: (lots: number) => void): Run =>
  (context, market) => {
    let keys = 0;
    return merge(of('start'), context.every(100)).pipe(
      map((): Intent => {
        const { pair, position, top } = market;
        held(position.base);
        const missing = size - position.highest;
        if (missing < volumeMin) return { kind: 'idle', pair, reason: 'it has all' };
        const price = market.round((top?.ask ?? 1_000_000) * 1.002, 'down');
        const terms = { side: 'BID', price, volume: missing as Lots, timeInForce: 'IOC' } as const;
        return { kind: 'place', pair, key: `k${keys++}`, terms, reason: 'something is missing' };
      }),
    );
  };

function play(
  world: VirtualWorld,
  seed: number,
  { lines, held }: { readonly lines: readonly string[]; readonly held: () => number },
): readonly string[] {
  const violations: string[] = [];
  world.isMarketAway = true;
  world.begin();
  world.pass(seed % 2 === 0 ? 70 : 3);
  const before = posts(world);
  if (before > 0) violations.push(`${before} orders left before the market's stream was there`);
  world.isMarketAway = false;
  world.pass(40);
  const refused = codes(world).filter((code) => early.test(code));
  if (refused.length > 0) violations.push(`first orders were refused: ${refused.join()}`);
  const told = lines.filter((line) => line.startsWith('info own waits for '));
  if (told.length === 0) violations.push('no line says what is missing');
  if (told.some((line, at) => line === told[at - 1])) violations.push('a line comes twice');
  const isTradeTold = told.some((line) => line.includes('a trade on XBTZAR'));
  if (seed % 2 === 0 && !isTradeTold) violations.push('no line says that a trade is missing');
  if (held() > size || held() <= size - volumeMin)
    violations.push(`it holds ${held()} lots and wanted ${size}`);
  return [...new Set([...violations, ...world.witness.violations])];
}

export const beforeReady: RecoveryScenario = {
  name: 'before-ready',
  runs: 6,
  plants: {
    'starts-at-once': 'strategies start before anything is known',
    'silent-wait': 'nothing says what a strategy waits for',
  },
  play: (seed, plant) => {
    const lines: string[] = [];
    const onNotice = (line: string): void => {
      if (plant !== 'silent-wait') lines.push(line);
    };
    let lots = 0;
    const holder = holderOf((now) => {
      lots = now;
    });
    const told = { lines, held: () => lots };
    const world = new VirtualWorld({ seed, level: 0, strategy: strategyOf(holder), onNotice });
    const planted: Partial<StrategyStarter> = {
      begin: (strategies) => {
        const nowMs = Math.ceil(world.time.nowMicros / 1_000) + 1;
        for (const { host } of strategies) host.start(nowMs);
      },
    };
    const isPlanted = plant === 'starts-at-once';
    return withPlant(isPlanted, StrategyStarter.prototype, planted, () => play(world, seed, told));
  },
};
