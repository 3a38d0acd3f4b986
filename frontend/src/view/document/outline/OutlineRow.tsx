/** A section in the outline: its name, how many words it has, and what can be done with it. */
import { ChevronRight, Link2 } from 'lucide-react';
import type { CSSProperties, KeyboardEvent, PointerEvent } from 'react';
import type { Heading } from '../../../model/text/outline';
import type { Step } from '../../../model/text/sectionMoves';
import { counted } from '../../../model/words/kinds';

interface Props {
  heading: Heading;
  /** Index of the heading. */
  at: number;
  depth: number;
  isCurrent: boolean;
  /** Null where there is nothing to fold. */
  isFolded: boolean | null;
  /** Null until they are counted. */
  words: number | null;
  mark: 'dragged' | 'before' | 'after' | 'into' | null;
  onFold: (isFolded: boolean) => void;
  onGo: () => void;
  onGrab: (event: PointerEvent<HTMLElement>) => void;
  /** Null where sections cannot be moved. */
  onStep: ((way: Step) => void) | null;
  onCopy: () => void;
}

const STEPS: Readonly<Record<string, Step>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'in',
  ArrowLeft: 'out',
};

export function OutlineRow(props: Props) {
  const { heading, at, depth, isCurrent, isFolded, words, mark, onFold, onGo, onGrab, onStep, onCopy } =
    props;
  const title = heading.title || 'Without a title';
  const keys = (event: KeyboardEvent<HTMLElement>) => {
    const way = STEPS[event.key];
    if (way && event.altKey && event.shiftKey && onStep) onStep(way);
    else if (isFolded !== null && !event.altKey && (way === 'in' || way === 'out')) onFold(way === 'out');
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <li
      className={`outline-row${mark ? ` is-${mark}` : ''}`}
      style={{ '--depth': depth } as CSSProperties}
      data-at={at}
      data-anchor={heading.anchor}
    >
      <button
        type="button"
        className="outline-fold"
        aria-label={`Subsections of ${title}`}
        aria-expanded={!isFolded}
        hidden={isFolded === null}
        tabIndex={-1}
        onClick={() => onFold(!isFolded)}
      >
        <ChevronRight size={14} strokeWidth={2.2} aria-hidden="true" />
      </button>
      <button
        type="button"
        className={`outline-item level-${Math.min(heading.level, 3)}`}
        aria-current={isCurrent ? 'location' : undefined}
        aria-keyshortcuts={
          onStep
            ? 'Alt+Shift+ArrowUp Alt+Shift+ArrowDown Alt+Shift+ArrowLeft Alt+Shift+ArrowRight'
            : undefined
        }
        onClick={onGo}
        onPointerDown={onGrab}
        onKeyDown={keys}
      >
        {title}
      </button>
      {words !== null && (
        <span className="outline-words" title={counted(words, 'word')}>
          {words.toLocaleString('en')}
        </span>
      )}
      {heading.anchor && (
        <button
          type="button"
          className="outline-copy"
          aria-label={`Copy the link to ${title}`}
          data-tip="Copy the link"
          onClick={onCopy}
        >
          <Link2 size={14} strokeWidth={2} aria-hidden="true" />
        </button>
      )}
    </li>
  );
}
