/** The options of a test's exchange, and the settings of the simulated exchange that they mean. */
import { ConfigError } from '../../domain/errors.ts';
import { parseDecimal } from '../../domain/money.ts';
import { currencies } from '../../venues/luno/api/currencies.ts';
import {
  defaultSimulatorSettings,
  type SimulatorSettings,
} from '../../venues/luno/simulator/core/simulator-settings.ts';
import { settingsWithMarkets } from '../../venues/luno/simulator/server/known-markets.ts';

export type ExchangeOptions = {
  /**
   * The pairs to trade: XBTZAR, ETHXBT, ETHZAR, XBTEUR, XBTUGX, XBTZMW, BCHXBT. Default: the first
   * two.
   */
  readonly markets?: readonly string[];
  /**
   * Whether simulated participants quote and trade in the markets. Without them the books hold only
   * what the test's own users place. Default: true.
   */
  readonly participants?: boolean;
  /**
   * The ids of the users: 1 to 32 lower-case letters, digits and dashes each. The keys of the
   * exchange belong to the first; `addKey` makes keys of the others. Default: `['desk']`.
   */
  readonly users?: readonly string[];
  /**
   * What each user has at the start, by currency, as decimal text; nothing of the currencies of the
   * markets that it does not name. Default: "1" XBT, "1000000" ZAR and similar amounts of others.
   */
  readonly balances?: Readonly<Record<string, string>>;
  /** The users' fees as fractions ("0.001" is 10 bps). Default: "0.0005" and "0.0010". */
  readonly fees?: { readonly maker: string; readonly taker: string };
  /** What the participants do follows from it. Default: 1. */
  readonly seed?: number | string;
  /** 0 to 65535; 0 takes any free port. Default: 0. */
  readonly port?: number;
  /**
   * The folder of its state, which is kept: an exchange of the same folder goes on where it ended,
   * and then `markets`, `participants`, `users`, `balances`, `fees` and `seed` are as they were.
   * Default: a folder for temporary files, which `stop` removes.
   */
  readonly home?: string;
  /** Whether it runs in a process of its own, which a test may kill. Default: false. */
  readonly child?: boolean;
  /** Whether it accepts only what the documents describe. Default: false. */
  readonly strict?: boolean;
};

const userPattern = /^[a-z][a-z0-9-]{0,31}$/u;
/** The exchange's own users. */
const takenIds: readonly string[] = ['house', 'fees'];

/** Returns the settings of a new exchange. Throws {@link ConfigError} for a wrong option. */
export function settingsOf(options: ExchangeOptions): SimulatorSettings {
  const { markets: pairs = ['XBTZAR', 'ETHXBT'], users = ['desk'], participants = true } = options;
  const { markets, users: known } = settingsWithMarkets(pairs);
  const [desk] = known;
  const first = users[0];
  if (desk === undefined || first === undefined || new Set(users).size < users.length)
    throw new ConfigError('startExchange: users must name at least one user, and none twice');
  for (const id of users)
    if (!userPattern.test(id) || takenIds.includes(id))
      throw new ConfigError(
        `startExchange: users: "${id}" must be 1 to 32 lower-case letters, digits and dashes, begin with a letter, and not be ${takenIds.join(' or ')}`,
      );
  const { balances = desk.deposits, fees = desk.fees } = options;
  for (const [currency, amount] of Object.entries(balances)) {
    if (!currencies.includes(currency) && !Object.hasOwn(desk.deposits, currency))
      throw new ConfigError(
        `startExchange: balances: no currency "${currency}"; there are ${currencies.join(', ')}`,
      );
    if (parseDecimal(amount)?.isNegative() !== false)
      throw new ConfigError(
        `startExchange: balances.${currency} must be decimal text from "0", such as "1.5", was ${JSON.stringify(amount)}`,
      );
  }
  for (const [kind, rate] of Object.entries(fees))
    if (parseDecimal(rate)?.abs().lt(1) !== true)
      throw new ConfigError(
        `startExchange: fees.${kind} must be a fraction as decimal text, such as "0.001", was ${JSON.stringify(rate)}`,
      );
  // An account exists of each currency that is traded.
  const none = Object.keys(desk.deposits).map((currency) => [currency, '0'] as const);
  const deposits = { ...Object.fromEntries(none), ...balances };
  return {
    ...defaultSimulatorSettings,
    markets: participants ? markets : markets.map(({ participants: _, ...market }) => market),
    users: users.map((id) => ({ ...(id === desk.id ? desk : {}), id, fees, deposits })),
  };
}
