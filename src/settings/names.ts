/** Fields for names and paths in settings files, and the default namespace of a bot. */
import { createHash } from 'node:crypto';
import { choice, text } from './value-fields.ts';

export const currencyName = {
  name: /^[A-Z][A-Z0-9]{1,9}$/u,
  nameAllowed: 'a currency code such as XBT',
  placeholder: 'currency',
};
export const pairName = {
  name: /^[A-Z][A-Z0-9]{3,19}$/u,
  nameAllowed: 'a pair such as XBTZAR',
  placeholder: 'pair',
};
export const strategyName = {
  name: /^[a-z](?:[a-z0-9-]{0,30}[a-z0-9])?$/u,
  nameAllowed: 'an id of lower-case letters, digits and dashes, at most 32 characters: mm-xbt',
  placeholder: 'id',
};

export const feedName = {
  name: /^[a-z](?:[a-z0-9-]{0,30}[a-z0-9])?$/u,
  nameAllowed: 'a name of lower-case letters, digits and dashes, at most 32 characters: reference',
  placeholder: 'feed',
};

export const currency = text(currencyName.name, currencyName.nameAllowed);
export const pair = text(pairName.name, pairName.nameAllowed);
export const slug = text(
  strategyName.name,
  'a name of lower-case letters, digits and dashes, at most 32 characters, such as "demo"',
);
export const namespace = text(/^[a-z2-7]{8}$/u, '8 characters of a-z and 2-7, such as "demo2345"');
export const side = choice(['BID', 'ASK']);

/** A relative path that stays inside the folder it is relative to. */
export const innerPath = text(
  /^(?![/\\~])(?!.*(?:^|[/\\])\.\.(?:[/\\]|$))[\p{L}\p{M}\p{N}_ .@/-]{1,200}$/u,
  'a relative path without .., of letters, digits, spaces and ._-@/, such as data/bot.sqlite',
);

/** Any path, for files that are only read; a relative path may leave the folder. */
export const anyPath = text(
  /^[\p{L}\p{M}\p{N}_ .@/-]{1,200}$/u,
  'a path of letters, digits, spaces and ._-@/, such as days/monday.mrec',
);

const packagePart = String.raw`(?:@[a-z0-9~-][\w.~-]{0,99}/)?[a-z0-9~-][\w.~-]{0,99}`;

/** The name of a package in `node_modules`. */
export const packageName = text(
  new RegExp(`^${packagePart}$`, 'u'),
  "a package's name without version, such as trading-signals or @scope/name",
);

/** What names a plugin; whether there is one is found out when it is loaded. */
export const pluginName = text(
  new RegExp(
    String.raw`^(?:\.\.?/[\p{L}\p{M}\p{N}_ .@/()+-]{1,200}|${packagePart}(?:/[\w./-]{1,100})?)$`,
    'u',
  ),
  'the name of a shipped plugin such as simple-mm, a path such as ./strategy.ts, or a package',
);

/** A package of a plugin with the start of its hash, as it was approved. */
export const approvedPackage = text(
  new RegExp(String.raw`^${packagePart}@[\w.+-]{1,100} [0-9a-f]{16}$`, 'u'),
  'a package as `millrace checks` prints it, in quotes, such as "trading-signals@7.0.0 0123456789abcdef"',
);

const base32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** Returns a bot's default namespace: the start of the SHA-256 of its name, in base 32. */
export function namespaceOf(bot: string): string {
  const digest = createHash('sha256').update(`millrace namespace ${bot}`).digest();
  return [...digest.subarray(0, 8)].map((byte) => base32.charAt(byte % 32)).join('');
}
