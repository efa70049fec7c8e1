/** What a market stream can say wrongly: its sequence, its snapshots, its numbers. */
import type { Fault, FaultHooks } from './fault.ts';
import { toFrames } from './stream-faults.ts';
import type { StreamLine } from './stream-line.ts';

type Frame = {
  readonly sequence: string;
  readonly create_update?: { readonly price: string; readonly volume: string } | null;
  readonly timestamp: number;
};

/** Changes frames after the snapshot; a frame that `change` returns undefined for passes. */
function changing(change: (frame: Frame) => unknown): FaultHooks {
  return toFrames('market', (line, text) => {
    if (line.frames < 2 || text.length < 8) return false;
    const changed = change(JSON.parse(text) as Frame);
    if (changed === undefined) return false;
    line.deliver(JSON.stringify(changed));
    return true;
  });
}

function withCreated(change: (created: NonNullable<Frame['create_update']>) => object): FaultHooks {
  return changing((frame) => {
    const created = frame.create_update ?? undefined;
    return created && { ...frame, create_update: { ...created, ...change(created) } };
  });
}

/** The first frame of each new connection is one of an earlier connection. */
function staleSnapshot(): FaultHooks {
  return {
    begin: (proxy) => {
      for (const line of proxy.linesOf('market')) line.reset();
    },
    ...toFrames('market', (line: StreamLine, _text, proxy) => {
      const before = proxy.firstFrames.get('market');
      if (line.frames !== 1 || before === undefined) return false;
      line.deliver(before);
      return true;
    }),
  };
}

const market = (name: string, hooks: () => FaultHooks): Fault => ({
  name: `market stream ${name}`,
  hooks,
});

export const marketFaults: readonly Fault[] = [
  market('skips numbers', () =>
    changing((frame) => ({ ...frame, sequence: String(BigInt(frame.sequence) + 100n) })),
  ),
  market('numbers go back', () =>
    changing((frame) => ({ ...frame, sequence: String(BigInt(frame.sequence) - 3n) })),
  ),
  market('begins with an old snapshot', staleSnapshot),
  market('sends a second snapshot', () =>
    changing((frame) => ({ ...frame, asks: [], bids: [], status: 'ACTIVE' })),
  ),
  market('reports a price that is none', () => withCreated(() => ({ price: 'NaN' }))),
  market('reports a volume below zero', () =>
    withCreated(({ volume }) => ({ volume: `-${volume}` })),
  ),
  market('reports a price ten times as high', () =>
    withCreated(({ price }) => ({ price: `${price.split('.')[0]}0` })),
  ),
  market('reports an old time', () =>
    changing((frame) => ({ ...frame, timestamp: frame.timestamp - 60_000 })),
  ),
  market('reports a time to come', () =>
    changing((frame) => ({ ...frame, timestamp: frame.timestamp + 60_000 })),
  ),
];
