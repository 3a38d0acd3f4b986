/**
 * The text field of the composer: grows with its text, sends on Enter, recalls the last request, and shows completions.
 * Keys of the list work in the field, which keeps the focus.
 */
import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useState } from 'react';
import type { Completion } from '../../protocol/types';

interface Props {
  field: RefObject<HTMLTextAreaElement | null>;
  text: string;
  placeholder: string;
  completions: readonly Completion[];
  describedBy: string | undefined;
  onWrite: (text: string) => void;
  onSend: () => void;
  onLeave: () => void;
  /** The last request; empty for none. */
  last: string;
}

export function ComposerField(props: Props) {
  const { field, text, placeholder, completions, describedBy, onWrite } = props;
  const list = useList(completions);
  const id = useId();
  useGrowing(field, text);
  const take = (completion: Completion) => {
    list.open();
    onWrite(completion.text);
    field.current?.focus();
  };
  const entries = list.isOpen ? completions : [];
  const chosen = entries[list.at];
  return (
    <div className="composer-writing">
      <textarea
        ref={field}
        className="composer-field"
        rows={1}
        value={text}
        placeholder={placeholder}
        aria-label="Ask the assistant"
        aria-describedby={describedBy}
        aria-autocomplete="list"
        aria-controls={entries.length > 0 ? id : undefined}
        aria-activedescendant={chosen ? `${id}-${list.at}` : undefined}
        spellCheck
        onChange={(event) => {
          list.open();
          onWrite(event.target.value);
        }}
        onBlur={list.close}
        onKeyDown={(event) => press(event, { ...props, list, chosen, entries, take })}
      />
      {entries.length > 0 && (
        <div id={id} className="completions" role="listbox" aria-label="Completions">
          {entries.map((completion, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the option
            <div
              key={completion.text}
              id={`${id}-${index}`}
              className="completion"
              role="option"
              aria-selected={index === list.at}
              // Before the field loses the focus to it.
              onPointerDown={(event) => {
                event.preventDefault();
                take(completion);
              }}
            >
              <span>{completion.text}</span>
              <span className="completion-kind">{completion.kind}</span>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

interface ListState {
  isOpen: boolean;
  /** The index of the selected completion; -1 for none, so that Enter sends. */
  at: number;
  open: () => void;
  close: () => void;
  move: (to: number) => void;
}

/** Opened by typing, closed by Escape; nothing is selected until an arrow key is pressed. */
function useList(completions: readonly Completion[]): ListState {
  const [isOpen, setIsOpen] = useState(false);
  const [at, setAt] = useState(-1);
  // As soon as they are seen, or it would take back the first arrow key.
  // biome-ignore lint/correctness/useExhaustiveDependencies: other completions begin anew
  useLayoutEffect(() => setAt(-1), [completions]);
  return {
    isOpen,
    at,
    open: () => {
      setIsOpen(true);
      setAt(-1);
    },
    close: () => setIsOpen(false),
    move: setAt,
  };
}

interface Pressing extends Props {
  list: ListState;
  entries: readonly Completion[];
  chosen: Completion | undefined;
  take: (completion: Completion) => void;
}

function press(event: KeyboardEvent<HTMLTextAreaElement>, pressing: Pressing): void {
  const { entries, text, last, onSend, onLeave, onWrite } = pressing;
  if (entries.length > 0 && pressInList(event, pressing)) {
    event.preventDefault();
  } else if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
    event.preventDefault();
    onSend();
  } else if (event.key === 'Escape') {
    event.preventDefault();
    onLeave();
  } else if (event.key === 'ArrowUp' && text === '' && last) {
    event.preventDefault();
    onWrite(last);
  }
}

/** Whether the list handled the key. */
function pressInList(event: KeyboardEvent, { list, entries, chosen, take }: Pressing): boolean {
  const { key } = event;
  const count = entries.length;
  if (key === 'ArrowDown') list.move((list.at + 1) % count);
  else if (key === 'ArrowUp') list.move((list.at + count - (list.at < 0 ? 0 : 1)) % count);
  else if (key === 'Escape') list.close();
  else if (key === 'Tab' && !event.shiftKey) take(chosen ?? (entries[0] as Completion));
  else if (key === 'Enter' && !event.shiftKey && chosen) take(chosen);
  else return false;
  return true;
}

/** As high as its text, up to eight lines (set in the style sheet). */
function useGrowing(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is written makes it grow
  useLayoutEffect(() => {
    const area = field.current;
    if (!area) return;
    area.style.height = 'auto';
    area.style.height = `${area.scrollHeight + area.offsetHeight - area.clientHeight}px`;
  }, [text, field]);
}
