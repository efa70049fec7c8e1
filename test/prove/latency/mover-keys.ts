/** The keys of the two customers who move the market: one quotes both sides, the other takes. */
export const moverKeys = {
  quoter: { id: 'sim_quoter', secret: 'the-secret-of-the-quoter' },
  taker: { id: 'sim_taker', secret: 'the-secret-of-the-taker' },
} as const;
