/** Whether our orders, fills and balances agree with the exchange's at present. */
export class Readiness {
  #isReconciled = false;

  get isReconciled(): boolean {
    return this.#isReconciled;
  }

  /** Stores the latest result; returns true if they agree and did not before. */
  note(isReconciled: boolean): boolean {
    const agreesAgain = isReconciled && !this.#isReconciled;
    this.#isReconciled = isReconciled;
    return agreesAgain;
  }
}
