/** Stores the collapsed groups in this browser. */
import { useEffect } from 'react';
import { recallFolds, rememberFolds } from '../../sync/preferences';
import { useEditorContext } from '../context/EditorContext';

export function useRememberedFolds(): void {
  const { id, ui } = useEditorContext();
  useEffect(() => {
    const known = recallFolds(id);
    if (known.length > 0 && ui.get().collapsed.size === 0) ui.set({ collapsed: new Set(known) });
  }, [id, ui]);
  useEffect(
    () =>
      ui.state.subscribe((now, before) => {
        if (now.collapsed !== before.collapsed) rememberFolds(id, [...now.collapsed]);
      }),
    [id, ui],
  );
}
