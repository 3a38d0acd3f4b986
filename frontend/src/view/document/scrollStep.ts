/** Synchronises scrolling of editor and preview, by source lines; the one that is scrolled leads. */
import { useCallback, useEffect, useRef } from 'react';
import type { EditorHandle } from './editorHandle';
import type { ProseHandle } from './Prose';

const SIGNS = ['pointerdown', 'wheel', 'keydown', 'touchstart', 'focusin'] as const;

interface Half {
  scroller: HTMLElement;
  topLine(): number;
  scrollToLine(line: number): void;
}

/** Returns what to call after both halves were placed: none of them leads until it is used. */
export function useScrollStep(
  editor: EditorHandle | null,
  prose: ProseHandle | null,
  isBoth: boolean,
): () => void {
  const steps = useRef<Steps | null>(null);
  useEffect(() => {
    if (!isBoth || !editor || !prose) return;
    const made = inStep(editor, prose);
    steps.current = made;
    return () => {
      made.end();
      steps.current = null;
    };
  }, [editor, prose, isBoth]);
  return useCallback(() => steps.current?.rest(), []);
}

interface Steps {
  rest(): void;
  end(): void;
}

function inStep(one: Half, other: Half): Steps {
  const ends = new AbortController();
  const how = { signal: ends.signal, passive: true };
  let leader: Half | null = null;
  for (const [half, follower] of [
    [one, other],
    [other, one],
  ] as const) {
    for (const sign of SIGNS)
      half.scroller.addEventListener(
        sign,
        () => {
          leader = half;
        },
        how,
      );
    half.scroller.addEventListener(
      'scroll',
      () => {
        if (leader === half) follower.scrollToLine(half.topLine());
      },
      how,
    );
  }
  other.scrollToLine(one.topLine());
  return {
    rest() {
      leader = null;
    },
    end: () => ends.abort(),
  };
}
