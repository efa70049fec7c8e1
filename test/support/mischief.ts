/**
 * Goes into a real process before its program (`NODE_OPTIONS=--import=…`) and does to it what code
 * of others may do, at SIGUSR2. `MILLRACE_MISCHIEF` says what.
 */
const [what, amount = ''] = (process.env['MILLRACE_MISCHIEF'] ?? '').split(':');

const deeds: Readonly<Record<string, () => void>> = {
  /** An error in a timer, which nobody can catch. */
  throw: () => setTimeout(() => JSON.parse('not json')),
  /** Memory until there is none. */
  hoard: () => {
    for (const hoard: unknown[] = []; ; ) hoard.push(new Array(1e6).fill(hoard.length));
  },
  /** A loop that does not give the process back for `amount` milliseconds. */
  block: () => {
    for (const untilMs = performance.now() + Number(amount); performance.now() < untilMs; );
  },
  /** The system's clock is set by `amount` milliseconds. */
  shift: () => {
    const now = Date.now;
    Date.now = () => now() + Number(amount);
  },
};

const deed = deeds[what ?? ''];
if (deed !== undefined) process.on('SIGUSR2', deed);
