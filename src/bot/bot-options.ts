/** The options that a bot is started with. */

import type {
  BotSettings,
  CaptureSettings,
  EgressCaps,
  VenueSettings,
} from '../domain/bot-settings.ts';
import type { Notice } from '../domain/notice.ts';
import type { Workspace } from '../domain/workspace.ts';
import type { ReadyFeeds } from '../feeds/feed-secrets.ts';
import type { SystemClock } from '../runtime/clock.ts';
import type { Logger, LogLevel } from '../runtime/log.ts';
import type { Random } from '../runtime/random.ts';
import type { Timers } from '../runtime/timers.ts';
import type { PreparedStrategy } from '../strategy/loader.ts';
import type { CommandPlace } from '../terminal/command-hints.ts';
import type { Output } from '../terminal/output.ts';
import type { Credentials } from '../venue/key-credentials.ts';
import type { ServedPage } from './serve-page.ts';

export type BotOptions = {
  readonly settings: BotSettings;
  readonly venue: VenueSettings;
  readonly credentials: Credentials;
  /** Names of the dangerous key permissions that a person has accepted. */
  readonly acceptedPermissions: readonly string[];
  /** Absolute caps on the orders that are sent; undefined only in the demo. */
  readonly egressCaps: EgressCaps | undefined;
  readonly ordersGoTo: 'simulator' | 'replay' | 'exchange';
  readonly liveFlag: boolean;
  /** Folder of the bot's state; the journals are in its `journal/`. */
  readonly home: string;
  /** Path of the settings file, for suggested commands. */
  readonly config: string;
  readonly workspace: CommandPlace;
  /** The loaded plugin of each strategy, by strategy id. */
  readonly plugins: ReadonlyMap<string, PreparedStrategy>;
  /** How much of the market streams to keep in `captures/` of the home. */
  readonly capture: CaptureSettings;
  /** The feeds that strategies see, with their secrets; none by default. */
  readonly feeds?: ReadyFeeds;
  readonly clock: SystemClock;
  readonly timers: Timers;
  readonly random: Random;
  readonly logger: Logger;
  /**
   * Whether a supervisor restarts the bot when it dies, so that several crashes in a row must halt
   * it. A person who starts it at a terminal has seen the crashes.
   */
  readonly isSupervised: boolean;
  /** Reason for resuming what an earlier run halted; undefined leaves it halted. */
  readonly resumeReason: string | undefined;
  /** Ids of strategies that begin their task again although they are done; none by default. */
  readonly again?: readonly string[];
  /** Whether the run only reads from the exchange and completes the store; see EngineStart. */
  readonly observes?: boolean;
  /**
   * Whether orders and fills of this namespace that the database does not know are taken over from
   * the exchange. Otherwise the bot halts.
   */
  readonly isAdopting: boolean;
  readonly onNotice: (notice: Notice) => void;
  /** Called once if the run cannot continue; the process must then end. */
  readonly onFatal: (error: unknown) => void;
};

/** What it takes to run a bot in the foreground; `config` is absolute. */
export type RunBotOptions = Omit<
  BotOptions,
  'random' | 'logger' | 'observes' | 'onNotice' | 'onFatal'
> & {
  /** It is registered while the bot runs, and closed at the end. */
  readonly page: ServedPage;
  /** Undefined runs until a signal or a command stops the bot. */
  readonly forMs: number | undefined;
  /** Whether a terminal gets lines, as a file does, instead of the view. */
  readonly isPlain: boolean;
  readonly environment: { readonly [name: string]: string | undefined };
  /** Level of the log file in `home`; it does not affect what is printed. */
  readonly logLevel: LogLevel;
  readonly workspace: Workspace;
  readonly output: Output;
};

/** What a person chooses at the start of a run. */
export type RunChoices = Pick<
  RunBotOptions,
  | ('forMs' | 'resumeReason' | 'again' | 'isAdopting' | 'isPlain' | 'logLevel')
  | ('environment' | 'workspace' | 'output')
>;
