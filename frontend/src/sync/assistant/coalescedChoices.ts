/**
 * Values by key that people choose. A choice is displayed at once and sent after that; while a call is under way only the
 * newest choice waits, and a choice that the server refuses is withdrawn. No React. Not here: which values there are
 * (`assistant.ts`).
 */
interface Pending<T> {
  /** What the server has. */
  kept: T;
  wanted: T;
}

export class CoalescedChoices<T> {
  private readonly pending = new Map<string, Pending<T>>();

  constructor(
    private readonly send: (key: string, value: T) => Promise<unknown>,
    private readonly show: (key: string, value: T) => void,
  ) {}

  /**
   * Chooses a value; `kept` is what is shown until now. While a call is on its way only the newest wish is remembered, so
   * that calls never overtake one another. Throws what the server answers where it does not take the value.
   */
  async choose(key: string, wanted: T, kept: T): Promise<void> {
    this.show(key, wanted);
    const previous = this.pending.get(key);
    if (previous) {
      previous.wanted = wanted;
      return;
    }
    const pending: Pending<T> = { kept, wanted };
    this.pending.set(key, pending);
    try {
      while (pending.kept !== pending.wanted) {
        const { wanted: sent } = pending;
        await this.send(key, sent);
        pending.kept = sent;
      }
    } catch (error) {
      this.show(key, pending.kept);
      throw error;
    } finally {
      this.pending.delete(key);
    }
  }
}
