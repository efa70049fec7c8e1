/** Everything that a bot is started with. */
import type { Credentials } from '../client/credentials.ts';
import type {
  BotSettings,
  CaptureSettings,
  EgressCaps,
  VenueSettings,
} from '../domain/bot-settings.ts';
import type { Notice } from '../domain/notice.ts';
import type { SystemClock } from '../runtime/clock.ts';
import type { Logger } from '../runtime/log.ts';
import type { Random } from '../runtime/random.ts';
import type { Timers } from '../runtime/timers.ts';
import type { PreparedStrategy } from '../strategy/loader.ts';

export type BotOptions = {
  readonly settings: BotSettings;
  readonly venue: VenueSettings;
  readonly credentials: Credentials;
  /** Dangerous permissions of the key that a person has accepted, by name. */
  readonly acceptedPermissions: readonly string[];
  /** Absolute caps on what leaves; undefined in the demo alone. */
  readonly egressCaps: EgressCaps | undefined;
  readonly ordersGoTo: 'simulator' | 'tape' | 'exchange';
  readonly liveFlag: boolean;
  /** Where journals are kept. */
  readonly home: string;
  /** Path of the settings' file, for commands that are suggested. */
  readonly config: string;
  /** By strategy id. */
  readonly plugins: ReadonlyMap<string, PreparedStrategy>;
  /** How much of the market streams is kept, in `captures/` of the home. */
  readonly capture: CaptureSettings;
  readonly clock: SystemClock;
  readonly timers: Timers;
  readonly random: Random;
  readonly logger: Logger;
  /**
   * Something starts it again when it dies, so that crashes in a row must halt it; a person who
   * starts it at a terminal has seen them.
   */
  readonly isSupervised: boolean;
  /** Opens what was halted in an earlier run; undefined leaves it. */
  readonly resumeReason: string | undefined;
  /** Only reads and completes what the store has; see EngineStart. */
  readonly observes?: boolean;
  /** The database takes over what the exchange shows of its namespace, where it would halt. */
  readonly isAdopting: boolean;
  readonly onNotice: (notice: Notice) => void;
  /** Called once if the run cannot go on; the process must end. */
  readonly onFatal: (error: unknown) => void;
};
