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

function inStep(editor: EditorHandle, prose: ProseHandle): Steps {
  const ends = new AbortController();
  const how = { signal: ends.signal, passive: true };
  let leader: Half | null = null;
  let isByKey = false;
  let frame = 0;
  const follow = () => {
    if (leader === prose) editor.scrollToLine(prose.topLine());
    if (leader !== editor) return;
    prose.scrollToLine(editor.topLine());
    // What is written is not hidden below what takes more room as it reads.
    const line = isByKey ? editor.caretLine() : null;
    if (line !== null) prose.reveal(line);
  };
  const soon = () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(follow);
  };
  for (const half of [editor, prose]) {
    for (const sign of SIGNS)
      half.scroller.addEventListener(
        sign,
        () => {
          leader = half;
          isByKey = sign === 'keydown';
          if (isByKey && half === editor) soon();
        },
        how,
      );
    half.scroller.addEventListener('scroll', () => leader === half && follow(), how);
  }
  // What is typed is drawn later, and pictures later still. Who reads is left where they are.
  const sizes = new ResizeObserver(() => leader === editor && follow());
  const [article] = prose.scroller.children;
  if (article) sizes.observe(article);
  // The editor scrolls to where it is shown in the next frame.
  frame = requestAnimationFrame(() => prose.scrollToLine(editor.topLine()));
  return {
    rest() {
      leader = null;
      cancelAnimationFrame(frame);
    },
    end() {
      ends.abort();
      sizes.disconnect();
      cancelAnimationFrame(frame);
    },
  };
}
