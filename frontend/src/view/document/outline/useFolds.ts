/** Which sections are folded in the outline: of this workspace, as long as the page has it open. */
import { useState } from 'react';
import type { Heading } from '../../../model/text/outline';
import { useEditorContext } from '../../context/EditorContext';
import type { UiStore } from '../../context/uiState';

const kept = new WeakMap<UiStore, ReadonlySet<string>>();

interface Folds {
  isFolded: (heading: Heading) => boolean;
  /** Folds or unfolds a section; nothing where it is so already. */
  fold: (heading: Heading, isFolded: boolean) => void;
}

export function useFolds(): Folds {
  const { ui } = useEditorContext();
  const [folded, setFolded] = useState<ReadonlySet<string>>(() => kept.get(ui) ?? new Set());
  return {
    isFolded: ({ anchor }) => folded.has(anchor),
    fold({ anchor }, isFolded) {
      if (folded.has(anchor) === isFolded) return;
      const fresh = new Set(folded);
      if (isFolded) fresh.add(anchor);
      else fresh.delete(anchor);
      kept.set(ui, fresh);
      setFolded(fresh);
    },
  };
}
