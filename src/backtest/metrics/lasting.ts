/** How long something that comes and goes was there. */
export class Lasting {
  /** In microseconds, without the time since the last change. */
  #total = 0;
  #sinceMicros = 0;
  #isOn = false;

  /** Notes whether it is there from now on; times do not go back. */
  set(isOn: boolean, atMicros: number): void {
    if (isOn === this.#isOn) return;
    this.#isOn = isOn;
    if (isOn) this.#sinceMicros = atMicros;
    else this.#total += atMicros - this.#sinceMicros;
  }

  /** Returns how long it was there until `atMicros`, in microseconds. */
  until(atMicros: number): number {
    return this.#isOn ? this.#total + atMicros - this.#sinceMicros : this.#total;
  }
}
