/** The selection as focus chips; a removed chip stays removed until the selection changes. */
import { useCallback, useEffect, useMemo, useState } from 'react';
import { type FocusChip, focusChips } from '../../model/assistant/focus';
import { useLive, useUiState } from '../context/EditorContext';
import { useThrottledValue } from '../ui/useThrottledValue';

export function useFocusChips(): { chips: readonly FocusChip[]; leaveOut: (chip: FocusChip) => void } {
  const diagram = useLive((live) => live.diagram);
  const text = useLive((live) => live.text);
  const selection = useUiState((state) => state.selection);
  const selected = useUiState((state) => (state.focus === 'document' ? state.passage : null));
  // The headings of a long text are not looked for at each key.
  const { document, passage } = useThrottledValue(
    useMemo(() => ({ document: text, passage: selected }), [text, selected]),
  );
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const all = useMemo(
    () => focusChips({ diagram, document, nodes: selection.nodes, edges: selection.edges, passage }),
    [diagram, document, selection, passage],
  );
  useEffect(() => {
    const isThere = (key: string) => all.some((chip) => chip.key === key);
    setLeft((before) => ([...before].every(isThere) ? before : new Set([...before].filter(isThere))));
  }, [all]);
  const leaveOut = useCallback((chip: FocusChip) => {
    setLeft((before) => new Set(before).add(chip.key));
  }, []);
  const chips = useMemo(() => all.filter(({ key }) => !left.has(key)), [all, left]);
  return { chips, leaveOut };
}
