/** Connects a node to one chosen by name: the alternative to drawing an edge. */
import '../styles/gestures.css';
import { useMemo, useState } from 'react';
import { typeName } from '../../model/words/kinds';
import { searchNodes } from '../../model/words/search';
import { useEditorContext, useLive } from '../context/EditorContext';
import { Dialog } from '../ui/overlay/Dialog';
import { useToasts } from '../ui/overlay/Toasts';
import { connectNodes } from './actions';
import { ChoiceList } from './ChoiceList';

/** Of a large diagram only the first are listed; the search finds the others. */
const MAX = 50;

export function ConnectDialog({ from, onClose }: { from: string; onClose: () => void }) {
  const context = useEditorContext();
  const toasts = useToasts();
  const nodes = useLive((live) => live.diagram.nodes);
  const [query, setQuery] = useState('');
  const source = nodes.find(({ id }) => id === from);
  const others = useMemo(() => nodes.filter(({ id }) => id !== from), [nodes, from]);
  const found = query.trim() ? searchNodes(others, query, MAX) : others.slice(0, MAX);
  const labelOf = (id: string | null) => nodes.find((node) => node.id === id)?.label;
  const choices = found.map((node) => ({
    id: node.id,
    type: node.type,
    custom: node.custom,
    name: node.label,
    note: [node.technology || typeName(node), labelOf(node.parent)].filter(Boolean).join(' · '),
  }));
  const none = others.length === 0 ? 'There is no other node to connect to.' : `No node matches “${query}”.`;
  return (
    <Dialog title={`Connect “${source?.label ?? from}” to`} onClose={onClose} size="small">
      <div className="dialog-form">
        <ChoiceList
          label="Search nodes"
          listLabel="Nodes"
          query={query}
          choices={choices}
          none={none}
          onQuery={setQuery}
          onChoose={(target) => {
            onClose();
            connectNodes(context, toasts, from, target);
          }}
        />
      </div>
    </Dialog>
  );
}
