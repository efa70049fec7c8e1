/** The headers of every answer of a page of this machine. */

export type PagePolicy = {
  /** Sources of scripts and styles besides files of the page, such as hashes. */
  readonly scripts?: string;
  readonly styles?: string;
};

/** Only what the page itself brings may run, load or connect; no other page may frame it. */
export function contentPolicy({ scripts = "'self'", styles = "'self'" }: PagePolicy = {}): string {
  return [
    "default-src 'none'",
    `script-src ${scripts}`,
    `style-src ${styles}`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

export const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': contentPolicy(),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};
