/**
 * The last filter before text leaves the process: replaces every registered secret by `[secret]`,
 * in each encoding that logs and errors are known to use.
 *
 * It works on the final text, so it does not matter how the secret got there.
 */

/** A secret, or the id and secret of an API key, whose basic authorization is hidden as well. */
export type Secret = string | { readonly id: string; readonly secret: string };

export type SecretFilter = (text: string) => string;

// Shorter secrets would hide ordinary words, and could not be recognized within base64 text.
export const secretLengthMin = 8;
const replacement = '[secret]';
// Not quoted in JSON, so that a word in its place would make the line invalid.
const isByteList = /^\d{1,3}(?:,\d{1,3})+$/u;

/** Returns the filter for `secrets`. Throws RangeError for a secret of fewer than 8 characters. */
export function createSecretFilter(secrets: readonly Secret[]): SecretFilter {
  const forms = new Set<string>();
  for (const entry of secrets) {
    const secret = typeof entry === 'string' ? entry : entry.secret;
    if (secret.length < secretLengthMin) {
      throw new RangeError(`a secret must have at least ${secretLengthMin} characters`);
    }
    for (const form of formsOf(secret)) forms.add(form);
    if (typeof entry !== 'string') {
      for (const form of formsOf(`${entry.id}:${secret}`)) forms.add(form);
    }
  }
  if (forms.size === 0) return (text) => text;
  // The longest first, so that no part of a longer form remains.
  const longestFirst = [...forms].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(longestFirst.map(escapePattern).join('|'), 'gu');
  return (text) => text.replace(pattern, (form) => (isByteList.test(form) ? '0' : replacement));
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&');
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const hexPairs = hex.match(/../gu) ?? [];
  const base64 = [
    bytes.toString('base64'),
    ...[0, 1, 2].map((shift) => base64Inside(bytes, shift)),
  ];
  const encoded = base64.flatMap((form) => [form, form.replace(/=+$/u, '')]);
  const plain = [
    secret,
    ...encoded,
    ...encoded.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')),
    hex,
    hex.toUpperCase(),
    hexPairs.join(' '), // util.inspect of a Buffer.
    [...bytes].join(','), // JSON of a Buffer.
  ];
  return [...new Set(plain.flatMap(escapedForms))].filter((form) => form !== '');
}

/** The text encoded for a URL, a form, a JSON string, and a JSON string in a JSON string. */
function escapedForms(text: string): string[] {
  const component = encodeURIComponent(text.toWellFormed());
  const strict = component.replace(/[!'()*]/gu, (sign) => `%${hexOf(sign, 2).toUpperCase()}`);
  const form = strict.replaceAll('%20', '+');
  // URLSearchParams does not escape * and escapes ~.
  const field = new URLSearchParams({ '': text }).toString().slice(1);
  const lower = (escaped: string): string =>
    escaped.replace(/%[0-9A-F]{2}/gu, (sign) => sign.toLowerCase());
  const json = JSON.stringify(text).slice(1, -1);
  const ascii = json.replace(/[\u0080-\uffff]/g, (sign) => `\\u${hexOf(sign, 4)}`);
  const urls = [component, strict, form, field, encodeURI(text.toWellFormed())];
  const twice = [json, ascii].map((once) => JSON.stringify(once).slice(1, -1));
  return [text, ...urls, ...urls.map(lower), json, json.replaceAll('/', '\\/'), ascii, ...twice];
}

/**
 * Returns the part of a base64 text that depends on `bytes` only, if they begin `shift` bytes
 * (modulo three) after the start of the encoded data: without the characters shared with their
 * neighbours.
 */
function base64Inside(bytes: Buffer, shift: number): string {
  const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
  const bits = (shift + bytes.length) * 8;
  return text.slice(Math.ceil((shift * 8) / 6), Math.floor(bits / 6));
}

function hexOf(sign: string, width: number): string {
  return sign.charCodeAt(0).toString(16).padStart(width, '0');
}
