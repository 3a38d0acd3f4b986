/** What is in sight: the newest state, or an old one, perhaps beside what it is compared with. */
import { useMemo } from 'react';
import { compareDiagrams, type Marks } from '../../model/drawing/compare';
import type { Diagram } from '../../protocol/types';
import { useLive, useUiState } from './EditorContext';
import { useRevision } from './useRevision';

export type { Mark, Marks } from '../../model/drawing/compare';

export interface Shown {
  /** What was removed is in it, where something is compared. */
  diagram: Diagram;
  text: string;
  /** How it differs from what it is compared with; null where nothing is compared. */
  marks: Marks | null;
  /** Whether it is the newest state, which alone can be changed. */
  isNewest: boolean;
}

/** An old state, the newest one, or undefined while it is being read. */
function useStateAt(revision: number | 'now' | null): { diagram: Diagram; text: string } | undefined {
  const diagram = useLive((live) => live.diagram);
  const text = useLive((live) => live.text);
  const old = useRevision(typeof revision === 'number' ? revision : null).data;
  return useMemo(
    () =>
      typeof revision === 'number'
        ? old && { diagram: old.diagram, text: old.document.text }
        : { diagram, text },
    [revision, old, diagram, text],
  );
}

/** The two states that are in sight; the later one is the older one itself where nothing is compared. */
function useStates() {
  const viewed = useUiState((state) => state.viewed);
  const from = useStateAt(viewed?.revision ?? 'now');
  const to = useStateAt(viewed?.against ?? 'now');
  const now = useStateAt('now');
  return { viewed, from, to, now };
}

export function useShown(): Shown {
  const { viewed, from, to, now } = useStates();
  return useMemo(() => {
    const newest = { ...(now as NonNullable<typeof now>), marks: null };
    if (!viewed) return { ...newest, isNewest: true };
    // Until the old state is here, the newest stays in sight, and cannot be changed.
    if (!from || !to) return { ...newest, isNewest: false };
    if (viewed.against === null) return { ...from, marks: null, isNewest: false };
    return { ...compareDiagrams(from.diagram, to.diagram), text: to.text, isNewest: false };
  }, [viewed, from, to, now]);
}

/** The two texts that are compared; null where nothing is. */
export function useTextComparison(): { from: string; to: string } | null {
  const { viewed, from, to } = useStates();
  const isComparing = viewed !== null && viewed.against !== null;
  return useMemo(
    () => (isComparing && from && to ? { from: from.text, to: to.text } : null),
    [isComparing, from, to],
  );
}
