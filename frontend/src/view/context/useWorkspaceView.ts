/** The shown state: the newest, or an old revision, perhaps compared with another. */
import { useMemo } from 'react';
import type { Marks } from '../../model/drawing/marks';
import type { Diagram } from '../../protocol/types';
import { laterPart } from '../ui/loading/later';
import { useLive, useUiState } from './EditorContext';
import { useRevision } from './useRevision';

export type { Mark, Marks } from '../../model/drawing/marks';

const comparing = laterPart(async () => (await import('../../model/drawing/compare')).compareDiagrams);

export interface WorkspaceView {
  /** In a comparison it contains removed things. */
  diagram: Diagram;
  text: string;
  /** The marks of the comparison; null without one. */
  marks: Marks | null;
  /** Whether it is the newest state; only that can be changed. */
  isNewest: boolean;
}

/** An old state, the newest one, or undefined while loading. */
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

/** The two states of a comparison. */
function useStates() {
  const viewed = useUiState((state) => state.viewed);
  const from = useStateAt(viewed?.revision ?? 'now');
  const to = useStateAt(viewed?.against ?? 'now');
  const now = useStateAt('now');
  return { viewed, from, to, now };
}

export function useWorkspaceView(): WorkspaceView {
  const { viewed, from, to, now } = useStates();
  const compare = comparing.usePart(viewed !== null && viewed.against !== null);
  return useMemo(() => {
    const newest = { ...(now as NonNullable<typeof now>), marks: null };
    if (!viewed) return { ...newest, isNewest: true };
    // Until what is to be shown is loaded, the newest stays, read-only.
    if (!from || !to) return { ...newest, isNewest: false };
    if (viewed.against === null) return { ...from, marks: null, isNewest: false };
    if (!compare) return { ...newest, isNewest: false };
    return { ...compare(from.diagram, to.diagram), text: to.text, isNewest: false };
  }, [viewed, from, to, now, compare]);
}

/** The two texts of a comparison; null without one. */
export function useTextComparison(): { from: string; to: string } | null {
  const { viewed, from, to } = useStates();
  const isComparing = viewed !== null && viewed.against !== null;
  return useMemo(
    () => (isComparing && from && to ? { from: from.text, to: to.text } : null),
    [isComparing, from, to],
  );
}
