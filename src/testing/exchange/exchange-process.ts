/**
 * A test's exchange as a process of its own. Its arguments are the folder of its state and its
 * options as JSON; it prints its addresses as one JSON line, and ends when its standard input does.
 * So it never outlives the test, even if that is killed.
 */
import type { ExchangeOptions } from './exchange-options.ts';
import { openExchange } from './exchange-server.ts';

const [folder = '', text = '{}'] = process.argv.slice(2);
const { baseUrl, streamUrl, close } = await openExchange(
  folder,
  JSON.parse(text) as ExchangeOptions,
);
process.stdin.once('close', () => {
  void close();
});
process.stdin.resume();
process.stdout.write(`${JSON.stringify({ baseUrl, streamUrl })}\n`);
