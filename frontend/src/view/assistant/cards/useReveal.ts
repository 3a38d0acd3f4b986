/**
 * Brings the things of a card into view: nodes and edges with a pulse, ranges of the document. The page leaves an old
 * revision that it shows, and opens the half that is needed. A toast says where nothing is left to be shown.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { lineStarts } from '../../../model/text/lineStarts';
import { readCommit } from '../../../protocol/history';
import type { Diff } from '../../../protocol/types';
import { useEditorContext } from '../../context/EditorContext';
import { useToasts } from '../../ui/overlay/Toasts';

export interface Reveal {
  /** A single node is selected, too. */
  showNodes: (ids: readonly string[]) => void;
  /** The edge is selected, too. */
  showEdge: (id: string) => void;
  showPassage: (place: { from: number; to: number } | null) => void;
  /** Shows what a commit changed, as far as it still exists. */
  showCommit: (revision: number) => void;
}

const NOTHING_LEFT = { text: 'Nothing of it is left to be shown' };

export function useReveal(): Reveal {
  const { id, client, ui } = useEditorContext();
  const toasts = useToasts();
  const queries = useQueryClient();
  return useMemo(() => {
    const showNodes = (wanted: readonly string[]) => {
      // A link may lead to a node that was deleted.
      const ids = wanted.filter((id) => client.view.nodes.has(id));
      if (ids.length === 0) return void toasts.show(NOTHING_LEFT);
      ui.set({ viewed: null });
      if (ui.get().mode === 'document') ui.setMode('split');
      ui.show(ids, { pulse: true, isSelecting: ids.length === 1 });
    };
    const showEdge = (edge: string) => {
      if (!client.view.edges.has(edge)) return void toasts.show(NOTHING_LEFT);
      ui.set({ viewed: null });
      if (ui.get().mode === 'document') ui.setMode('split');
      ui.show([edge], { pulse: true, isSelecting: false });
      ui.select([], [edge]);
    };
    const showPassage = (place: { from: number; to: number } | null) => {
      if (!place) return void toasts.show(NOTHING_LEFT);
      ui.set({ viewed: null });
      if (ui.get().mode === 'diagram') ui.setMode('split');
      ui.showText(place.from, place.to);
    };
    const showText = ({ from_line, new: now }: Diff['document'][number]) => {
      const { text } = client.view;
      const found = now.trim() ? text.indexOf(now.trim()) : -1;
      const line = lineStarts(text)[Math.max(0, from_line - 1)] ?? text.length;
      showPassage({ from: found < 0 ? line : found, to: found < 0 ? line : found + now.trim().length });
    };
    const show = (diff: Diff) => {
      const ids = placesIn(diff, client.view);
      if (ids.length > 0) showNodes(ids);
      const place = diff.document.at(0);
      if (place) showText(place);
      if (ids.length === 0 && !place)
        toasts.show({ ...NOTHING_LEFT, detail: 'The history has all that it changed.' });
    };
    return {
      showNodes,
      showEdge,
      showPassage,
      showCommit: (revision) => {
        const queryKey = ['commit', id, revision];
        const queryFn = () => readCommit(id, revision);
        queries
          .fetchQuery({ queryKey, queryFn, staleTime: Number.POSITIVE_INFINITY })
          .then(({ diff }) => show(diff))
          .catch(toasts.showError);
      },
    };
  }, [id, client, ui, toasts, queries]);
}

interface View {
  nodes: { has: (id: string) => boolean };
  edges: { get: (id: string) => { source: string; target: string } | undefined };
}

/** The nodes of a diff, and the ends of its edges, as far as they exist. */
function placesIn({ nodes, edges }: Diff, view: View): string[] {
  const touched = [...nodes.added, ...nodes.changed].map(({ id }) => id);
  const ends = [...edges.added, ...edges.changed].flatMap(({ id }) => {
    const edge = view.edges.get(id);
    return edge ? [edge.source, edge.target] : [];
  });
  return [...new Set([...touched, ...ends])].filter((id) => view.nodes.has(id));
}
