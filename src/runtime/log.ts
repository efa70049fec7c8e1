/**
 * The logger: one JSON object per line, to standard error by default. A filter removes secrets from
 * each finished line; nothing is written without it.
 *
 * pino's own `redact` is not used: it needs the paths of fields, and secrets turn up in messages,
 * URLs and stacks.
 */
import { pino, stdSerializers, stdTimeFunctions } from 'pino';
import type { Line } from './deferred-lines.ts';
import { createSecretFilter, type Secret } from './secret-filter.ts';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

export type LogFields = { readonly [name: string]: unknown };

/** Writes one line for each call. An error belongs in the field `err`, where its stack is kept. */
export type Logger = {
  readonly [level in Exclude<LogLevel, 'silent'>]: (message: string, fields?: LogFields) => void;
} & {
  /** Returns a logger that adds `fields` to every line. */
  child(fields: LogFields): Logger;
};

export type LoggerOptions = {
  readonly level: LogLevel;
  readonly secrets: readonly Secret[];
  /**
   * Receives what makes each line: filtered, and with its line feed. Until then its fields must not
   * change. Default: standard error, synchronously.
   */
  readonly destination?: (line: Line) => void;
  /** Called after each line of level `warn` or above, so that it is not kept waiting. */
  readonly flush?: () => void;
};

// Limits of logged fields, so that logging a large object cannot block or fill the disk.
const depthMax = 8;
const edgesMax = 200;

export function createLogger(options: LoggerOptions): Logger {
  const filter = createSecretFilter(options.secrets);
  const write = options.destination ?? standardError();
  /** The time of the line that is being made, as pino writes it, and the line. */
  let [time, made] = ['', ''];
  const base = pino(
    {
      level: options.level,
      base: null,
      depthLimit: depthMax,
      edgeLimit: edgesMax,
      serializers: { err: stdSerializers.errWithCause, error: stdSerializers.errWithCause },
      formatters: { level: (label) => ({ level: label }) },
      timestamp: () => time,
    },
    {
      write: (line: string) => {
        made = line;
      },
    },
  );
  return loggerOver(base, options.flush ?? (() => {}), (make, when) => {
    const atTime = stdTimeFunctions.epochTime();
    const line = (): string => {
      time = atTime;
      make();
      return filter(made);
    };
    if (when === 'later') {
      write(line);
      return;
    }
    const text = line();
    write(() => text);
  });
}

type When = 'now' | 'later';

/** `write` is given what lets `target` make a line, and when that is to be called. */
function loggerOver(
  target: pino.Logger,
  flush: () => void,
  write: (make: () => void, when: When) => void,
): Logger {
  const at =
    (level: Exclude<LogLevel, 'silent'>, when: When = 'later') =>
    (message: string, fields: LogFields = {}): void => {
      // Without arguments, pino takes the message as it is: a % in it is kept.
      if (target.isLevelEnabled(level)) write(() => target[level](fields, message), when);
    };
  const atOnce = (level: 'warn' | 'error' | 'fatal'): Logger[typeof level] => {
    // An error may throw when it is read; lines that wait must not be lost by that.
    const write = at(level, 'now');
    return (message, fields) => {
      write(message, fields);
      flush();
    };
  };
  return {
    trace: at('trace'),
    debug: at('debug'),
    info: at('info'),
    warn: atOnce('warn'),
    error: atOnce('error'),
    fatal: atOnce('fatal'),
    child: (fields) => loggerOver(target.child(fields), flush, write),
  };
}

/** Writes synchronously, so that no line before a crash is lost; blocks while a pipe is full. */
function standardError(): (line: Line) => void {
  const stream = pino.destination({ dest: 2, sync: true });
  // A closed pipe must not stop a bot.
  stream.on('error', () => {});
  return (line) => stream.write(line());
}
