/** What the documents mention without details, and what this project does instead. */
export type NotShown = {
  readonly document: 'exchange' | 'wallet';
  readonly name: string;
  readonly here: string;
};

export const notShown: readonly NotShown[] = [
  {
    document: 'exchange',
    name: 'Merchant interface: its operations, for high-volume partners',
    here: 'not declared; its two permissions are',
  },
  {
    document: 'exchange',
    name: 'Numeric values of MP_None, MP_None_Write and MP_Transfers',
    here: 'any valid key may call, unless the settings of the simulator give them bits',
  },
  {
    document: 'exchange',
    name: 'Validity of a quote',
    here: '60 seconds',
  },
  {
    document: 'exchange',
    name: 'Parameters of address validation with type=receive',
    here: 'payment_id, with the rules of type=send',
  },
  {
    document: 'wallet',
    name: 'Social send: its fields',
    here: 'a send to an e-mail address is taken for one and refused',
  },
  {
    document: 'wallet',
    name: 'Paths and methods',
    here: 'defaults of ours, which the venue file may change',
  },
  {
    document: 'wallet',
    name: 'Signature: which properties, which hash',
    here: 'HMAC-SHA-256 behind a port that a program may replace',
  },
];
