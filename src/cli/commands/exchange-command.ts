/**
 * `millrace exchange`: runs the simulated exchange in the foreground until it is stopped.
 *
 * Its keys are in a file that only its owner can read. `MILLRACE_SIMULATOR_KEY_ID` and
 * `MILLRACE_SIMULATOR_KEY_SECRET` can add a key, as can the files that
 * `MILLRACE_SIMULATOR_KEY_ID_FILE` and `MILLRACE_SIMULATOR_KEY_SECRET_FILE` name.
 */
import { flowDepositsOf, loadOrderFlow } from '../../bot/start/flow-demo.ts';
import { simulatorFolder } from '../../bot/state-place.ts';
import { ConfigError } from '../../domain/errors.ts';
import { createClock } from '../../runtime/clock.ts';
import { collectGarbage } from '../../runtime/collect-garbage.ts';
import { type Environment, readSecret } from '../../runtime/secrets.ts';
import { watchSignals } from '../../runtime/signals.ts';
import { createTimers } from '../../runtime/timers.ts';
import type { Output } from '../../terminal/output.ts';
import { type LimitRevision, limitRevisions } from '../../venues/luno/api/limits.ts';
import {
  type KeyTemplate,
  keyTemplates,
  type PermissionValues,
  undocumentedPermissions,
} from '../../venues/luno/api/permissions.ts';
import { certificatePath } from '../../venues/luno/simulator/server/certificate.ts';
import { controlPath } from '../../venues/luno/simulator/server/control-http.ts';
import { controlTokenPath } from '../../venues/luno/simulator/server/control-token.ts';
import { credentialsPath } from '../../venues/luno/simulator/server/credentials-file.ts';
import {
  settingsWithFlow,
  settingsWithMarkets,
  usualPairs,
} from '../../venues/luno/simulator/server/known-markets.ts';
import {
  type GivenKey,
  type SimulatorServer,
  type SimulatorServerOptions,
  startSimulatorServer,
} from '../../venues/luno/simulator/server/simulator-server.ts';

export type ExchangeCommandOptions = {
  readonly home: string;
  readonly port: number;
  readonly seed: string;
  readonly tls: boolean;
  readonly control: boolean;
  /** Whether only what the documents describe is accepted. */
  readonly strict: boolean;
  /** A folder with recorded order flow to replay; undefined simulates the markets. */
  readonly flow: string | undefined;
  /** Replay speed of `flow`, as a multiple of real time. */
  readonly speed: number;
  /** Pairs of the simulated markets; undefined uses the usual ones. */
  readonly markets: readonly string[] | undefined;
  /** The revision whose limits apply; used only on the first start. */
  readonly limits: LimitRevision;
  /** The text of `--permission-values`; used only on the first start. */
  readonly permissionValues?: string | undefined;
  /** Permissions of the key from the environment. */
  readonly keyTemplate: KeyTemplate;
  readonly environment: Environment;
  /** Whether to stop when standard input ends. */
  readonly child: boolean;
  readonly output: Output;
};

/** Runs the simulator; returns the exit code. */
export async function runExchange(options: ExchangeCommandOptions): Promise<number> {
  const { output } = options;
  const ended = Promise.withResolvers<number>();
  const fatal = (error: unknown): void => {
    output.problem(error);
    // Everything answered so far is on the disk; unfinished requests must not be answered.
    process.exit(1);
  };
  const clock = createClock();
  const folder = simulatorFolder(options.home);
  const keys = givenKeys(options);
  output.hide(keys);
  const market = await marketOptions(options);
  const unwatch = watchSignals({
    stop: () => ended.resolve(0),
    force: () => process.exit(1),
    fatal,
  });
  const server = await startSimulatorServer({
    folder,
    port: options.port,
    seed: options.seed,
    clock,
    timers: createTimers(),
    fail: fatal,
    isTls: options.tls,
    isControlled: options.control,
    collectGarbage,
    isStrict: options.strict,
    onWarning: (text) => output.line(`! ${text}`),
    keys,
    ...market,
  });
  printAddress(server, folder, options, keys);
  if (options.child) {
    process.stdin.once('end', () => ended.resolve(0));
    process.stdin.once('close', () => ended.resolve(0));
    process.stdin.resume();
  }
  const code = await ended.promise;
  unwatch();
  await server.close();
  process.stdin.destroy();
  return code;
}

const keyIdName = 'MILLRACE_SIMULATOR_KEY_ID';
const keySecretName = 'MILLRACE_SIMULATOR_KEY_SECRET';

function givenKeys({ environment, keyTemplate }: ExchangeCommandOptions): GivenKey[] {
  const id = readSecret(keyIdName, environment);
  const secret = readSecret(keySecretName, environment);
  if (id === undefined && secret === undefined) return [];
  if (id === undefined || secret === undefined)
    throw new ConfigError(
      `${keyIdName} and ${keySecretName} must be set together, but one is missing`,
    );
  if (!/^[A-Za-z0-9_-]{8,100}$/u.test(id) || secret.length < 8)
    throw new ConfigError(
      `${keyIdName} must be 8 to 100 letters, digits, - and _, and ${keySecretName} at least 8 characters`,
    );
  return [{ id, secret, permissions: keyTemplates[keyTemplate] }];
}

/** Returns the settings, which only the first start uses, and the order flow of every start. */
async function marketOptions(
  options: ExchangeCommandOptions,
): Promise<Pick<SimulatorServerOptions, 'settings' | 'flow'>> {
  const { limits, permissionValues = '' } = options;
  const { settings, flow } = await chosenMarkets(options);
  const given = {
    limits: limitRevisions[limits],
    permissionValues: parsePermissionValues(permissionValues),
  };
  return { settings: { ...settings, ...given }, flow };
}

/**
 * Parses the text of `--permission-values`, like "MP_Transfers=4194304". Throws ConfigError for an
 * unknown or repeated name, or a value above 2147483647.
 */
function parsePermissionValues(text: string): PermissionValues {
  const values: Record<string, number> = {};
  for (const item of text === '' ? [] : text.split(',')) {
    const [, name = '', digits = ''] = /^(\w+)=(\d{1,10})$/u.exec(item) ?? [];
    const value = Number.parseInt(digits, 10);
    if (!Object.hasOwn(undocumentedPermissions, name) || !(value <= permissionValueMax))
      throw new ConfigError(
        `--permission-values: "${item}" must be NAME=VALUE, with the name ` +
          `${Object.keys(undocumentedPermissions).join(' or ')}, and the value 0 to ${permissionValueMax}`,
      );
    if (Object.hasOwn(values, name))
      throw new ConfigError(`--permission-values: ${name} is given twice`);
    if (name === 'MP_None' && value !== 0)
      throw new ConfigError(
        '--permission-values: MP_None must be 0, because it only needs a valid key',
      );
    values[name] = value;
  }
  const { MP_None: _, ...named } = values;
  return named;
}

const permissionValueMax = 2 ** 31 - 1;

async function chosenMarkets({
  flow: folder,
  speed,
  markets,
}: ExchangeCommandOptions): Promise<
  Required<Pick<SimulatorServerOptions, 'settings'>> & Pick<SimulatorServerOptions, 'flow'>
> {
  if (folder === undefined) return { settings: settingsWithMarkets(markets ?? usualPairs) };
  if (markets !== undefined) throw new ConfigError('--flow has its own market: remove --markets');
  const flow = await loadOrderFlow(folder);
  const settings = settingsWithFlow(flow.market, speed, flowDepositsOf(flow));
  return { settings, flow: flow.recording };
}

function printAddress(
  server: SimulatorServer,
  folder: string,
  { output, tls, control }: ExchangeCommandOptions,
  given: readonly GivenKey[],
): void {
  const { baseUrl, streamUrl, replayed, credentials } = server;
  const flow = server.simulator.flows()[0];
  const credentialsFile = credentialsPath(folder);
  const keyIds = {
    bot: credentials.api_key_id,
    readOnly: credentials.read_only.api_key_id,
    full: credentials.full.api_key_id,
    given: given.map(({ id }) => id),
  };
  const certificate = tls ? certificatePath(folder) : undefined;
  const controls = control
    ? { controlUrl: `${baseUrl}${controlPath}`, controlTokenFile: controlTokenPath(folder) }
    : undefined;
  output.result(
    {
      baseUrl,
      streamUrl,
      replayed,
      keyIds,
      credentialsFile,
      ...(certificate === undefined ? {} : { certificate }),
      ...controls,
      ...(flow === undefined ? {} : { flow }),
    },
    [
      `simulated exchange at ${baseUrl}, streams at ${streamUrl}`,
      `key ${keyIds.bot} for a bot, ${keyIds.readOnly} read-only, ${keyIds.full} with all permissions`,
      ...keyIds.given.map((id) => `key ${id} from the environment`),
      `the secrets are in ${credentialsFile}`,
      ...(certificate === undefined
        ? []
        : [`certificate ${certificate}; to trust it, set NODE_EXTRA_CA_CERTS to this path`]),
      ...(controls === undefined
        ? []
        : [`control interface at ${controls.controlUrl}, token in ${controls.controlTokenFile}`]),
      ...(flow === undefined
        ? []
        : [
            `${flow.pair} replays recorded order flow at ${flow.speed} times real time, from row ${flow.rows}`,
          ]),
      'Ctrl-C stops it',
    ],
  );
}
