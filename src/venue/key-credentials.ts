/** An API key: its public id, and its secret, which never enters a log, an error or a record. */
export type Credentials = { readonly keyId: string; readonly keySecret: string };
