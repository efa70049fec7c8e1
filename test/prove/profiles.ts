/**
 * `npm run prove -- profiles`: each rule of an exchange profile, changed alone, changes what it
 * says in every part that keeps it, and nothing else; no other file knows a number of an exchange;
 * and a backtest of the sample sends each approved order at an exchange without limits.
 */
import { join } from 'node:path';
import { runBacktest } from '../../src/backtest/run/run-backtest.ts';
import type { ExchangeProfile } from '../../src/domain/exchange-profile.ts';
import { loadScenario } from '../../src/settings/load-scenario.ts';
import { checkProfile, profileField, profileOf } from '../../src/settings/profile-field.ts';
import { readChecked } from '../../src/settings/read-checked.ts';
import { SettingsSource } from '../../src/settings/settings-source.ts';
import { limitRevisions, limits } from '../../src/venues/luno/api/limits.ts';
import { createRateLimit } from '../../src/venues/luno/simulator/world/rate-limit.ts';
import { lunoProfile, shippedProfiles, unlimitedProfile } from '../../src/venues/profiles.ts';
import { packageRoot, workspace } from '../support/package-root.ts';
import { type SourceFile, sourceFilesIn } from '../support/source-files.ts';
import { constantsOutside } from './profiles-constants.ts';
import {
  type Answers,
  exchangeUnder,
  executorUnder,
  gateUnder,
  type Part,
} from './profiles-probes.ts';
import { type ProfileRule, profileRules } from './profiles-rules.ts';
import type { Prover, ProverOptions, ProverResult } from './prover.ts';

type Probes = Readonly<Record<Part, (profile: ExchangeProfile) => Answers>>;

const probes: Probes = {
  exchange: exchangeUnder,
  gate: gateUnder,
  executor: executorUnder,
};
const parts = Object.keys(probes) as Part[];

/** A fault that the prover must find. */
type Plant = {
  readonly breaks: string;
  readonly probes?: Partial<Probes>;
  readonly derive?: (profile: ExchangeProfile) => ExchangeProfile;
  readonly source?: SourceFile;
};

/** A part that keeps some rules of luno, whatever the profile is. */
const keeping =
  (part: Part, names: readonly (keyof ExchangeProfile)[]) =>
  (profile: ExchangeProfile): Answers =>
    probes[part]({
      ...profile,
      ...Object.fromEntries(names.map((name) => [name, lunoProfile[name as 'calls']])),
    });

const plants: Readonly<Record<string, Plant>> = {
  'exchange-calls': {
    breaks: 'the replay exchange allows the calls of luno under every profile',
    probes: { exchange: keeping('exchange', ['calls']) },
  },
  'exchange-ids': {
    breaks: 'the replay exchange keeps the ids and the time to live of luno',
    probes: { exchange: keeping('exchange', ['placing']) },
  },
  'gate-orders': {
    breaks: 'the gate passes each kind of order that luno takes',
    probes: { gate: keeping('gate', ['orders']) },
  },
  'gate-trades': {
    breaks: 'the gate demands a trade within the last minute under every profile',
    probes: { gate: keeping('gate', ['checks']) },
  },
  'executor-calls': {
    breaks: 'the executor paces its calls as at luno',
    probes: { executor: keeping('executor', ['calls']) },
  },
  'derived-forgets': {
    breaks: 'a derived profile loses its rule for the time to live',
    derive: (profile) => ({ ...profile, placing: lunoProfile.placing }),
  },
  'derived-adds': {
    breaks: 'a derived profile also changes a rule that it does not give',
    derive: (profile) => ({ ...profile, checks: unlimitedProfile.checks }),
  },
  constant: {
    breaks: 'a file of the executor has the number of calls a minute',
    source: { file: 'src/execution/planted.ts', text: 'export const callsMax = 300;\n' },
  },
};

async function run({ plant }: ProverOptions): Promise<ProverResult> {
  const planted = plant === undefined ? undefined : plants[plant];
  const used = { ...probes, ...planted?.probes };
  const wrong = profileRules.flatMap((rule) => wrongWith(rule, used, planted?.derive));
  const sources = planted?.source === undefined ? sourceFilesIn(packageRoot) : [planted.source];
  const outside = constantsOutside(sources);
  wrong.push(...differencesOfSimulator(used));
  const figures: Record<string, unknown> = {
    profiles: shippedProfiles.map(({ name }) => name),
    rules: profileRules.length,
    parts: [...parts, 'simulator'],
    constantsOutside: outside.length,
  };
  if (planted === undefined) {
    const unlimited = await sendingUnder(unlimitedProfile);
    const luno = await sendingUnder(lunoProfile);
    if (unlimited.neverSent > 0) wrong.push('an approved order was never sent under unlimited');
    if (luno.approved === 0) wrong.push('the sample approved no order under luno');
    figures['sample'] = { unlimited, luno };
  }
  return {
    figures,
    violations: wrong.length + outside.length,
    notes: [...wrong, ...outside].slice(0, 30),
  };
}

/** Returns what a rule, changed alone, changes too much or too little. */
function wrongWith(
  { name, change, changes }: ProfileRule,
  used: Probes,
  derive: Plant['derive'] = (profile) => profile,
): string[] {
  const profile = derive(profileIn(`{ from: luno, ${change} }`));
  return parts.flatMap((part) => {
    const before = used[part](lunoProfile);
    const after = used[part](profile);
    const changed = Object.keys(before).filter((question) => before[question] !== after[question]);
    const wanted = changes[part] ?? [];
    const told = `${changed.join(', ') || 'nothing'} instead of ${wanted.join(', ') || 'nothing'}`;
    const isRight =
      changed.length === wanted.length && wanted.every((one) => changed.includes(one));
    return isRight ? [] : [`${name}: of the ${part} it changes ${told}`];
  });
}

/** Reads a profile as a scenario has it. */
function profileIn(text: string): ExchangeProfile {
  const source = new SettingsSource('profile.yaml', Buffer.from(`profile: ${text}\n`));
  return readChecked(source, (reader) => {
    const given = reader.read(profileField, ['profile']);
    checkProfile(reader, given);
    return profileOf(given);
  });
}

/** The simulator is of one exchange: it must have that profile's rules, as the replay exchange. */
function differencesOfSimulator({ exchange }: Probes): string[] {
  const { placing } = lunoProfile;
  const found: string[] = [];
  const compare = (what: string, ofSimulator: unknown, ofProfile: unknown): void => {
    if (String(ofSimulator) !== String(ofProfile))
      found.push(`${what}: ${ofSimulator} in the simulator, ${ofProfile} in the profile`);
  };
  const meter = createRateLimit(limitRevisions.current.requests);
  let taken = 0;
  for (let call = 0; call < 1_000; call++) if (meter.take(call * 1_000).isAllowed) taken++;
  compare('calls a minute', taken, exchange(lunoProfile)['calls']);
  compare('longest id', limits.clientOrderIdLengthMax, placing.idLengthMax);
  compare('shortest time to live', limits.ttlMsMin, placing.ttlMs.min);
  compare('longest time to live', limits.ttlMsMax, placing.ttlMs.max);
  return found;
}

/** Plays the sample under a profile; returns how its orders left. */
async function sendingUnder(profile: ExchangeProfile) {
  const path = join(packageRoot, 'backtests/first/scenario.yaml');
  const { data: dataFolder, strategies: strategiesFolder } = workspace;
  const scenario = { ...loadScenario(path), profile };
  const { run } = await runBacktest({ scenario, dataFolder, strategiesFolder });
  const { sent, neverSent, waitedLong, moves } = run.store.sending;
  return {
    approved: sent + neverSent,
    ...{ sent, neverSent, waitedLong },
    movesWaitedLong: moves.waitedLong,
  };
}

export const profilesProver: Prover = {
  name: 'profiles',
  title: 'each rule of an exchange profile holds in every part that keeps it, and nowhere else',
  compared: ['rules'],
  plants: Object.fromEntries(Object.entries(plants).map(([name, { breaks }]) => [name, breaks])),
  run,
};
