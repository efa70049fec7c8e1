/** A database that is lost, empty, older than the exchange, or one of two. */
import { type Life, LostPlace, sleep } from './lost-place.ts';
import {
  forgetHalt,
  ignoreEmptyFile,
  knowByNumber,
  takeNothing,
  withPlant,
} from './lost-plants.ts';
import { offlineResume } from './offline-resume.ts';
import type { RecoveryScenario } from './scenario.ts';

/** How long a bot that must not order is watched, after it has reconciled. */
const watchedMs = 4_000;
/** Starts in a row wait for calls that the exchange takes. */
const tradesWithinMs = 90_000;

type Told = string[];

/** A start with a database that does not know everything: no order, a reason, and no resuming. */
async function expectHalted(place: LostPlace, home: string, told: Told): Promise<void> {
  const before = place.orders;
  const life = await place.start(home, { resumeReason: 'a reason that changes nothing' });
  await life.until(() => life.isReconciled, tradesWithinMs);
  if (!life.says(/STORE_BEHIND: .*restore the right database.*reconcile .*--repair/iu))
    told.push('the start does not say what is lost and which ways out there are');
  await sleep(watchedMs);
  const { text, isRefused } = await life.operate('resume', 'another one');
  if (isRefused !== true) told.push(`it lets itself be resumed: ${text}`);
  await life.stop();
  const ordered = place.orders - before;
  if (ordered > 0) told.push(`${ordered} orders left although the database does not know all`);
}

/** After a repair nothing differs, and the bot trades on from the position that it has. */
async function expectRepaired(place: LostPlace, home: string, told: Told): Promise<void> {
  await place.repair(home);
  const differences = await place.differences(home);
  if (differences > 0) told.push(`${differences} differences after the repair`);
  await expectTrading(place, home, told);
}

async function expectTrading(place: LostPlace, home: string, told: Told): Promise<void> {
  const before = place.orders;
  const life = await place.start(home, { resumeReason: 'it knows all of it now' });
  if (!(await life.until(() => place.orders > before, tradesWithinMs)))
    told.push(`it does not trade on: ${life.lines.slice(-3).join(' / ')}`);
  await life.stop();
  const differences = await place.differences(home);
  if (differences > 0) told.push(`${differences} differences after it traded on`);
}

/** Plays in a new place, which is removed afterwards. */
async function inPlace(
  seed: number,
  play: (place: LostPlace, told: Told) => Promise<void>,
): Promise<readonly string[]> {
  const place = await LostPlace.open(seed);
  const told: Told = [];
  try {
    await play(place, told);
  } finally {
    await place.close();
  }
  return told;
}

const lostDatabase: RecoveryScenario = {
  name: 'lost-database',
  runs: 1,
  plants: {
    'lost-not-halted': 'a database that does not know what the exchange has does not halt the bot',
    'repair-writes-nothing': 'a repair takes nothing over from the exchange',
  },
  play: (seed, plant) =>
    withPlant({ 'lost-not-halted': forgetHalt, 'repair-writes-nothing': takeNothing }, plant, () =>
      inPlace(seed, async (place, told) => {
        await place.trade(place.home('one'));
        const home = place.home('anew');
        await expectHalted(place, home, told);
        await expectRepaired(place, home, told);
      }),
    ),
};

const emptyDatabase: RecoveryScenario = {
  name: 'empty-database',
  runs: 1,
  plants: { 'empty-is-new': 'an empty file counts as a database that is not there yet' },
  play: (seed, plant) =>
    withPlant({ 'empty-is-new': ignoreEmptyFile }, plant, () =>
      inPlace(seed, async (place, told) => {
        const home = place.home('one');
        await place.trade(home);
        place.emptyStore(home);
        const problem = await place.start(home).then(
          async (life: Life) => {
            await life.stop();
            return 'it starts';
          },
          (error: unknown) => String(error),
        );
        if (!problem.includes('is an empty file')) told.push(`an empty database: ${problem}`);
      }),
    ),
};

const olderDatabase: RecoveryScenario = {
  name: 'older-database',
  runs: 1,
  plants: { 'older-not-halted': 'an old copy of a database does not halt the bot' },
  play: (seed, plant) =>
    withPlant({ 'older-not-halted': forgetHalt }, plant, () =>
      inPlace(seed, async (place, told) => {
        const home = place.home('one');
        const backup = place.home('backup');
        await place.trade(home);
        place.copyStore(home, backup);
        await place.trade(home);
        await expectHalted(place, backup, told);
        await expectRepaired(place, backup, told);
        // The one that was thought lost comes back, and does not know what the backup did.
        await expectHalted(place, home, told);
      }),
    ),
};

const twoHomes: RecoveryScenario = {
  name: 'two-homes',
  runs: 1,
  plants: {
    'second-not-halted': 'a bot of the same name in another home does not halt the second',
    'known-by-number': 'an order counts as known if its number was ever given',
  },
  play: (seed, plant) =>
    withPlant({ 'second-not-halted': forgetHalt, 'known-by-number': knowByNumber }, plant, () =>
      inPlace(seed, async (place, told) => {
        const first = await place.start(place.home('first'));
        await first.until(() => place.orders > 3, tradesWithinMs);
        const second = await place.start(place.home('second'));
        await second.until(() => second.isReconciled, tradesWithinMs);
        await sleep(watchedMs);
        const placed = second.bot.store.reports.orders().length;
        if (placed > 0) told.push(`the second placed ${placed} orders`);
        if (!second.says(/STORE_BEHIND: .*a namespace of its own/u))
          told.push('the second does not say that another bot has its name');
        await second.stop();
        await first.stop();
        const differences = await place.differences(place.home('first'));
        if (differences > 0) told.push(`${differences} differences of the first`);
        // Both databases give the number 1.
        await place.placeAsAnother(1);
        await expectHalted(place, place.home('first'), told);
      }),
    ),
};

export const lostStateScenarios: readonly RecoveryScenario[] = [
  lostDatabase,
  emptyDatabase,
  olderDatabase,
  twoHomes,
  offlineResume,
];
