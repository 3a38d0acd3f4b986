/** A priority queue of numbers: a binary heap. Pure. */
export class Queue {
  private readonly items: number[] = [];
  private readonly costs: number[] = [];

  add(item: number, cost: number): void {
    let at = this.items.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if ((this.costs[above] as number) <= cost) break;
      this.put(at, this.items[above] as number, this.costs[above] as number);
      at = above;
    }
    this.put(at, item, cost);
  }

  /** The cheapest item, which is removed; -1 where there is none. */
  take(): number {
    const [first] = this.items;
    const last = this.items.pop();
    const cost = this.costs.pop();
    if (first === undefined || last === undefined || cost === undefined) return -1;
    if (this.items.length === 0) return first;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= this.items.length) break;
      if (below + 1 < this.items.length && (this.costs[below + 1] as number) < (this.costs[below] as number))
        below += 1;
      if ((this.costs[below] as number) >= cost) break;
      this.put(at, this.items[below] as number, this.costs[below] as number);
      at = below;
    }
    this.put(at, last, cost);
    return first;
  }

  private put(at: number, item: number, cost: number): void {
    this.items[at] = item;
    this.costs[at] = cost;
  }
}
