/**
 * The two halves of the document pane, editor and preview: navigation in whichever is visible, the position that is kept when
 * switching, and scrolling of both in step.
 */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { lineStarts } from '../../model/text/lineStarts';
import type { Heading } from '../../model/text/outline';
import { useEditorContext, useUiState } from '../context/EditorContext';
import type { UiStore } from '../context/uiState';
import type { EditorHandle } from './editorHandle';
import type { ProseHandle } from './Prose';

interface HalvesInput {
  editor: EditorHandle | null;
  prose: ProseHandle | null;
  isWriting: boolean;
  isReading: boolean;
  text: string;
  /** Whether both are visible, and scroll in step. */
  isInStep: boolean;
}

interface Halves {
  /** The current position in the text. */
  place: () => number;
  go: (heading: Heading) => void;
  goToMention: (
    ids: ReadonlySet<string>,
    links: readonly { from: number; to: number }[],
    index: number,
  ) => void;
}

/** The last request that was carried out, also by an earlier pane. */
const lastReveal = new WeakMap<UiStore, number>();

export function useHalves(input: HalvesInput): Halves {
  const { ui } = useEditorContext();
  const newest = useRef(input);
  newest.current = input;
  const { editor, prose, isWriting, isReading, isInStep } = input;
  const onPlaced = useScrollStep(editor, prose, isInStep);
  useKeptPlace(ui, input);
  const asked = useUiState((state) => state.revealText);
  useEffect(() => {
    if (!asked || lastReveal.get(ui) === asked.at || (isWriting && !editor) || (isReading && !prose)) return;
    lastReveal.set(ui, asked.at);
    if (isWriting) editor?.goTo(asked);
    if (isReading) prose?.goTo(asked.from);
    onPlaced();
  }, [ui, asked, editor, prose, isWriting, isReading, onPlaced]);
  const place = useCallback(() => {
    const now = newest.current;
    const starts = lineStarts(now.text);
    const lineOf = (half: { topLine(): number } | null) => starts[Math.ceil(half?.topLine() ?? 0)] ?? 0;
    if (!now.isWriting) return lineOf(now.prose);
    const isInText = now.editor?.scroller.contains(document.activeElement);
    const isAtCaret = isInText || now.editor?.caretLine() != null;
    return isAtCaret ? (now.editor?.caret() ?? 0) : lineOf(now.editor);
  }, []);
  const go = useCallback(
    ({ from, to }: Heading) => {
      const now = newest.current;
      if (now.isWriting) {
        now.editor?.goTo({ from, to }, { isCaretMoved: true });
        now.editor?.focus();
      }
      if (now.isReading) now.prose?.goTo(from);
      if (now.isReading && !now.prose) ui.showText(from, to); // Gone to once it is loaded.
      if (!now.isWriting) now.prose?.scroller.focus({ preventScroll: true });
      onPlaced();
    },
    [ui, onPlaced],
  );
  const goToMention = useCallback<Halves['goToMention']>(
    (ids, links, index) => {
      const now = newest.current;
      const link = links[index];
      if (link && now.isWriting) now.editor?.goTo(link, { isCaretMoved: true });
      if (now.isReading) now.prose?.goToMention(ids, index, link?.from ?? 0);
      if (link && now.isReading && !now.prose) ui.showText(link.from, link.to);
      onPlaced();
    },
    [ui, onPlaced],
  );
  return { place, go, goToMention };
}

/** The line at the upper edge, of each workspace, also while the document is not shown. */
const keptLines = new WeakMap<UiStore, { current: number }>();

function lineOf(ui: UiStore): { current: number } {
  const line = keptLines.get(ui) ?? { current: 0 };
  keptLines.set(ui, line);
  return line;
}

/** Restores the line at the upper edge after switching. Who has read on since writing writes there. */
function useKeptPlace(ui: UiStore, { editor, prose, isWriting, isReading }: HalvesInput): void {
  const [line] = useState(() => lineOf(ui));
  const wroteAt = useRef<number | null>(null);
  useEffect(() => {
    const half = isWriting ? editor : prose;
    if (!half) return;
    const { scroller } = half;
    const keep = () => {
      if (scroller.offsetParent) line.current = half.topLine();
    };
    scroller.addEventListener('scroll', keep, { passive: true });
    // Scrolls are told with the next frame; a switch may come before it.
    const ends = ui.state.subscribe((now, before) => {
      if (now.half !== before.half || now.mode !== before.mode) keep();
    });
    return () => {
      scroller.removeEventListener('scroll', keep);
      ends();
    };
  }, [ui, editor, prose, isWriting, line]);
  useLayoutEffect(() => {
    if (line.current > 0) {
      const hasReadOn = wroteAt.current !== null && Math.abs(line.current - wroteAt.current) >= 1;
      if (isReading) prose?.scrollToLine(line.current);
      if (isWriting) editor?.showLine(Math.floor(line.current), { isCaretTaken: hasReadOn });
    }
    return () => {
      if (isWriting) wroteAt.current = line.current;
    };
  }, [editor, prose, isReading, isWriting, line]);
}

/** What says that somebody uses a half. */
const USE_EVENTS = ['pointerdown', 'wheel', 'keydown', 'touchstart', 'focusin'] as const;

interface Half {
  scroller: HTMLElement;
  topLine(): number;
  scrollToLine(line: number): void;
}

/**
 * Scrolls both halves in step, by source lines; the one that is used leads. Returns what to call after both were placed: none of
 * them leads until it is used.
 */
function useScrollStep(
  editor: EditorHandle | null,
  prose: ProseHandle | null,
  isInStep: boolean,
): () => void {
  const steps = useRef<Steps | null>(null);
  useEffect(() => {
    if (!isInStep || !editor || !prose) return;
    const made = inStep(editor, prose);
    steps.current = made;
    return () => {
      made.end();
      steps.current = null;
    };
  }, [editor, prose, isInStep]);
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
    for (const type of USE_EVENTS)
      half.scroller.addEventListener(
        type,
        () => {
          leader = half;
          isByKey = type === 'keydown';
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
