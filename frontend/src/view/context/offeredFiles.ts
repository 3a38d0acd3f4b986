/**
 * Files that are pasted or dropped for a part of the page that is loaded later: kept until that takes them. Not here: which
 * files are meant (`images/takenFiles`), what becomes of them.
 */

class Offers<Receiver, Offer> {
  private kept: { receiver: Receiver; offer: Offer }[] = [];
  private taker: ((offer: Offer) => void) | null = null;

  offer(receiver: Receiver, offer: Offer): void {
    if (this.taker) this.taker(offer);
    else this.kept.push({ receiver, offer });
  }

  /** Passes on what was kept for a receiver, and everything from now on. Returns a function that ends that. */
  take(receiver: Receiver, take: (offer: Offer) => void): () => void {
    for (const { offer } of this.withdraw(receiver)) take(offer);
    this.taker = take;
    return () => {
      if (this.taker === take) this.taker = null;
    };
  }

  /** Returns what was kept for a receiver, and drops what was kept for others. */
  withdraw(receiver: Receiver) {
    const { kept } = this;
    this.kept = [];
    return kept.filter((one) => one.receiver === receiver);
  }
}

/** What is imported into a workspace, by its id. */
export const filesToImport = new Offers<string, readonly File[]>();

export interface FilesForText {
  files: readonly File[];
  /** What they replace; it moves with the text until it is released. */
  place: { readonly from: number; readonly to: number };
  release: () => void;
}

/** What is inserted into the text of an editor. */
export const filesForText = new Offers<object, FilesForText>();
