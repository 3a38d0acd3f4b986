/** Which part of a very long document is drawn, with buttons for the others. */
export interface Place {
  /** From 0. */
  at: number;
  of: number;
}

interface Props {
  place: Place;
  onPrevious: () => void;
  onNext: () => void;
}

export function ProseParts({ place: { at, of }, onPrevious, onNext }: Props) {
  return (
    <nav className="prose-parts" aria-label="Parts of the document">
      <p role="status">
        The document is too long to draw at once: part {at + 1} of {of}.
      </p>
      <button type="button" className="button" disabled={at === 0} onClick={onPrevious}>
        Previous part
      </button>
      <button type="button" className="button" disabled={at + 1 === of} onClick={onNext}>
        Next part
      </button>
    </nav>
  );
}
