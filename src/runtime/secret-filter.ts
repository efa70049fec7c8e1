/**
 * The last filter before text leaves the process: replaces every registered secret, in each form
 * that logs and errors are known to give it, by `[secret]`.
 *
 * It works on the final text, so it does not matter how the secret came to be there.
 */

/** A secret, or the two halves of an API key, whose basic header is hidden as a whole too. */
export type Secret = string | { readonly id: string; readonly secret: string };

export type SecretFilter = (text: string) => string;

// Shorter ones would blank ordinary words, and their base64 middle is too short to be told apart.
export const secretLengthMin = 8;
const replacement = '[secret]';
// Stands unquoted in JSON, so that a word in its place would break the line.
const isByteList = /^\d{1,3}(?:,\d{1,3})+$/u;

/** Returns the filter for `secrets`. A secret under 8 characters is a RangeError. */
export function createSecretFilter(secrets: readonly Secret[]): SecretFilter {
  const forms = new Set<string>();
  for (const entry of secrets) {
    const secret = typeof entry === 'string' ? entry : entry.secret;
    if (secret.length < secretLengthMin) {
      throw new RangeError(`a secret must have ${secretLengthMin} characters or more`);
    }
    for (const form of formsOf(secret)) forms.add(form);
    if (typeof entry !== 'string') {
      for (const form of formsOf(`${entry.id}:${secret}`)) forms.add(form);
    }
  }
  if (forms.size === 0) return (text) => text;
  // The longest first, so that no part of a longer form is left behind.
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

/** How a text looks inside a URL, a form, a JSON string, and a JSON string in a JSON string. */
function escapedForms(text: string): string[] {
  const component = encodeURIComponent(text.toWellFormed());
  const strict = component.replace(/[!'()*]/gu, (sign) => `%${hexOf(sign, 2).toUpperCase()}`);
  const form = strict.replaceAll('%20', '+');
  // A form of the platform leaves * as it is and escapes ~.
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
 * The part of a base64 text that `bytes` alone decide when they begin `shift` bytes (modulo three)
 * into what was encoded: without the signs they share with their neighbours.
 */
function base64Inside(bytes: Buffer, shift: number): string {
  const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
  const bits = (shift + bytes.length) * 8;
  return text.slice(Math.ceil((shift * 8) / 6), Math.floor(bits / 6));
}

function hexOf(sign: string, width: number): string {
  return sign.charCodeAt(0).toString(16).padStart(width, '0');
}
