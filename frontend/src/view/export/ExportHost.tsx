/** The parts of exports outside of their dialog: the print command and the print sheet. */
import '../styles/print.css';
import { Printer } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useCommands, useEditorContext, useLive } from '../context/EditorContext';
import { useVisibleMode } from '../context/useVisibleMode';
import { useWorkspaceView } from '../context/useWorkspaceView';
import { openSheet } from './printSheet';

export function ExportHost() {
  usePrinting();
  useCommands([
    {
      id: 'go.print',
      title: 'Print…',
      group: 'Go',
      icon: Printer,
      keys: ['Mod+P'],
      areKeysNative: true,
      words: 'paper pdf',
      run: () => window.print(),
    },
  ]);
  return null;
}

function usePrinting(): void {
  const { ui, id: workspace } = useEditorContext();
  const { diagram, text } = useWorkspaceView();
  const name = useLive((live) => live.name);
  const newest = useLive((live) => live.revision);
  const hasPending = useLive((live) => live.status.pending > 0);
  const mode = useVisibleMode();
  const state = useRef({ diagram, text, name, newest, hasPending, mode });
  state.current = { diagram, text, name, newest, hasPending, mode };
  useEffect(() => {
    let close: (() => void) | null = null;
    const open = () => {
      close?.();
      const { newest: revision, hasPending, mode: viewMode, ...content } = state.current;
      const old = ui.get().viewed?.revision;
      const which =
        old === undefined ? { revision, isUnsaved: hasPending } : { revision: old, isUnsaved: false };
      close = openSheet({ ...content, ...which, workspace }, viewMode);
    };
    const end = () => {
      close?.();
      close = null;
    };
    window.addEventListener('beforeprint', open);
    window.addEventListener('afterprint', end);
    return () => {
      end();
      window.removeEventListener('beforeprint', open);
      window.removeEventListener('afterprint', end);
    };
  }, [ui, workspace]);
}
