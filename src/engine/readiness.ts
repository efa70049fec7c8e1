/** Whether our picture agrees with the exchange's: at present, and whether it ever has. */
export class Readiness {
  #isReconciled = false;
  #isReady = false;

  /** Orders, fills and balances agree with the exchange's. */
  get isReconciled(): boolean {
    return this.#isReconciled;
  }

  /** The comparison of the start has once found them to agree; before that nothing is planned. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Takes the present finding; returns whether they agree anew. */
  note(isReconciled: boolean): boolean {
    const isNews = isReconciled && !this.#isReconciled;
    this.#isReconciled = isReconciled;
    this.#isReady ||= isReconciled;
    return isNews;
  }
}
