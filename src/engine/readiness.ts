/** Whether our picture agrees with the exchange's at present. */
export class Readiness {
  #isReconciled = false;

  /** Orders, fills and balances agree with the exchange's. */
  get isReconciled(): boolean {
    return this.#isReconciled;
  }

  /** Takes the present finding; returns whether they agree anew. */
  note(isReconciled: boolean): boolean {
    const isNews = isReconciled && !this.#isReconciled;
    this.#isReconciled = isReconciled;
    return isNews;
  }
}
