/** Faults that the latency proof must see: in the bot, in the floor, or in what is counted. */
import { replaceMethod } from '../../support/replace-method.ts';

export type PlantedFigure = 'placeP50' | 'floorP50' | 'callsPerReaction' | 'commitP50';

export type LatencyPlant = {
  readonly meaning: string;
  /** The figure that it raises, and by how much at least. */
  readonly figure: PlantedFigure;
  readonly byAtLeast: number;
  /** Builds it into the bot. */
  readonly installInBot?: () => Promise<void>;
  /** What the floor does before each order. */
  readonly beforeFloorOrder?: () => void;
  /** How often the proxy counts a call. */
  readonly countOf?: (operation: string) => number;
};

/** Keeps the process busy. */
function busyFor(milliseconds: number): void {
  const untilMs = performance.now() + milliseconds;
  while (performance.now() < untilMs);
}

export const latencyPlants: Readonly<Record<string, LatencyPlant>> = {
  'slow-order': {
    meaning: 'the bot waits 20 ms before each order',
    figure: 'placeP50',
    byAtLeast: 15,
    installInBot: async () => {
      const { EgressGuard } = await import('../../../src/venues/luno/client/egress-guard.ts');
      replaceMethod(EgressGuard.prototype, 'inspect', (real) => {
        return function (this: InstanceType<typeof EgressGuard>, request) {
          if (request.path.endsWith('/postorder')) busyFor(20);
          return real.call(this, request);
        };
      });
    },
  },
  'slow-commit': {
    meaning: 'the bot waits 2 ms in each commit',
    figure: 'commitP50',
    byAtLeast: 1.5,
    installInBot: async () => {
      const { SqliteStore } = await import('../../../src/store/sqlite-store.ts');
      replaceMethod(SqliteStore.prototype, 'commit', (real) => {
        return function (this: InstanceType<typeof SqliteStore>, records, commitNumber) {
          busyFor(2);
          real.call(this, records, commitNumber);
        };
      });
    },
  },
  'slow-floor': {
    meaning: 'the program that is the floor waits 3 ms before each order',
    figure: 'floorP50',
    byAtLeast: 2,
    beforeFloorOrder: () => busyFor(3),
  },
  'call-twice': {
    meaning: 'the proxy counts each cancel twice',
    figure: 'callsPerReaction',
    byAtLeast: 0.8,
    countOf: (operation) => (operation === 'stoporder' ? 2 : 1),
  },
};

/** Returns the plant that this process was started with. */
export function ownPlant(): LatencyPlant | undefined {
  const name = process.env['MILLRACE_PLANT'];
  return name === undefined ? undefined : latencyPlants[name];
}
