/** Every kind of message that the two streams have, seen once on the simulator and decoded. */
import { decodeMarketFrame } from '../../src/venues/luno/api/market-messages.ts';
import { decodeUserFrame, userStreamPath } from '../../src/venues/luno/api/user-messages.ts';
import { createDirectDriver, credentialsOf, type Driver } from '../support/interface-driver.ts';
import { quoteMarket, rest, scenarioSettings, trade } from '../support/scenario-steps.ts';
import { isHeard } from './interface-plants.ts';

/** Written from the documents and the facts; `error` stands before the codes of error frames. */
export const streamMessages = [
  ...['market snapshot', 'market create', 'market delete', 'market trade', 'market status'],
  ...['market keep-alive', 'market quiet', 'user order_status', 'user order_fill'],
  ...['user balance_update', 'user keep-alive', 'error auth_timeout', 'error invalid_credentials'],
  ...['error invalid_market', 'error session_limit_exceeded'],
] as const;

const market = '/api/1/stream/XBTZAR';
const sessionsMax = 50;

/** Returns the kinds of messages that came, and a sentence for each frame that cannot be read. */
export async function exerciseStreams(plant?: string): Promise<{
  readonly seen: ReadonlySet<string>;
  readonly faults: readonly string[];
}> {
  const driver = createDirectDriver({ settings: scenarioSettings, seed: 3 });
  const seen = new Set<string>();
  const faults: string[] = [];
  const listen = (path: string, first?: string): void => {
    const session = driver.simulator.openSession(
      path,
      (output) => {
        if (output.kind === 'close' || !isHeard(plant, output.text)) return;
        try {
          for (const kind of kindsOf(path, output.text)) seen.add(kind);
        } catch (error) {
          faults.push(`${path} sent ${output.text}: ${String(error)}`);
        }
      },
      driver.timeMs() * 1000,
    );
    if (session === undefined) faults.push(`${path} streams nothing`);
    else if (first !== undefined) session.receive(first, driver.timeMs() * 1000);
  };
  const { keyId, keySecret } = credentialsOf('desk');
  const credentials = JSON.stringify({ api_key_id: keyId, api_key_secret: keySecret });
  listen(market, credentials);
  listen(userStreamPath, credentials);
  listen(market);
  listen(market, 'no JSON');
  listen('/api/1/stream/NOPE', credentials);
  for (let count = 0; count < sessionsMax; count++) listen(market, credentials);
  await moveTheMarket(driver);
  return { seen, faults };
}

async function moveTheMarket(driver: Driver): Promise<void> {
  await quoteMarket(driver);
  const order = await rest(driver);
  await driver.call('stoporder', { order_id: order });
  await trade(driver, '2');
  driver.control({ kind: 'set-status', pair: 'XBTZAR', status: 'POST_ONLY' });
  // In steps, as a running exchange goes on, or no quiet time would be seen.
  for (let step = 0; step < 60; step++) driver.wait(10_000);
}

function kindsOf(path: string, frame: string): readonly string[] {
  const name = path === userStreamPath ? 'user' : 'market';
  if (name === 'user') {
    const message = decodeUserFrame(frame);
    if (message.kind === 'keep-alive') return ['user keep-alive'];
    if (message.kind === 'error') return [`error ${message.code}`];
    return [`user ${(JSON.parse(frame) as { readonly type: string }).type}`];
  }
  const message = decodeMarketFrame(frame);
  if (message.kind === 'error') return [`error ${message.code}`];
  if (message.kind !== 'update') return [`market ${message.kind}`];
  const { trades, create, delete: gone, status } = message.update;
  const kinds = [
    ...(trades.length > 0 ? ['trade'] : []),
    ...(create === undefined ? [] : ['create']),
    ...(gone === undefined ? [] : ['delete']),
    ...(status === undefined ? [] : ['status']),
  ];
  return (kinds.length === 0 ? ['quiet'] : kinds).map((kind) => `market ${kind}`);
}
