/**
 * The floor of the latency proof: what a program of `ws`, `undici` and `JSON.parse` needs to answer
 * a higher best bid with an order, and to cancel the one before. It checks and stores nothing.
 *
 *     node latency-floor.ts BASE_URL KEY SECRET BELOW
 */
import { Pool } from 'undici';
import { WebSocket } from 'ws';
import { ownPlant } from './latency-plants.ts';
import { pair } from './market-mover.ts';
import { answerMarks } from './measured-process.ts';

const [baseUrl = '', id = '', secret = '', below = ''] = process.argv.slice(2);
const beforeOrder = ownPlant()?.beforeFloorOrder;

type Level = { readonly price: string };
type Frame = {
  readonly bids?: readonly Level[];
  readonly create_update?: (Level & { readonly type: string }) | null;
};

const pool = new Pool(baseUrl, { connections: 8, pipelining: 1 });
const headers = {
  authorization: `Basic ${btoa(`${id}:${secret}`)}`,
  'content-type': 'application/x-www-form-urlencoded',
};
let best = 0;
let last: string | undefined;

async function call(operation: string, values: Readonly<Record<string, string>>): Promise<string> {
  const body = new URLSearchParams(values).toString();
  const path = `/api/1/${operation}`;
  return (await pool.request({ method: 'POST', path, headers, body })).body.text();
}

async function react(): Promise<void> {
  beforeOrder?.();
  const price = String(best - Number(below));
  const placed = call('postorder', { pair, type: 'BID', price, volume: '0.001' });
  if (last !== undefined) void call('stoporder', { order_id: last });
  last = (JSON.parse(await placed) as { readonly order_id: string }).order_id;
}

const stream = new WebSocket(`${baseUrl.replace('http', 'ws')}/api/1/stream/${pair}`, {
  perMessageDeflate: false,
});
stream.on('open', () => stream.send('{}'));
stream.on('message', (data) => {
  const text = String(data);
  if (text === '""' || text === '') return;
  const { bids, create_update: created } = JSON.parse(text) as Frame;
  if (bids !== undefined) best = Math.max(...bids.map(({ price }) => Number(price)));
  if (created?.type !== 'BID' || Number(created.price) <= best) return;
  best = Number(created.price);
  void react();
});
stream.once('message', () => console.log('ready'));
answerMarks(() => new Float64Array());
