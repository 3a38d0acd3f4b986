/** Find a node by its name, type or technology and go there. */
import '../../styles/find.css';
import { Panel } from '@xyflow/react';
import { type KeyboardEvent, useId, useState } from 'react';
import { typeName } from '../../../model/words/kinds';
import { searchNodes } from '../../../model/words/search';
import type { DiagramNode } from '../../../protocol/types';
import { TypeTile } from '../../drawing/TypeTile';
import { SearchField } from '../../ui/field/SearchField';

export function FindNode({ nodes, onOpen }: { nodes: readonly DiagramNode[]; onOpen: (id: string) => void }) {
  const [query, setQuery] = useState('');
  const [index, setIndex] = useState(0);
  const listId = useId();
  const found = searchNodes(nodes, query);
  const active = found[Math.min(index, found.length - 1)];
  const open = (id: string) => {
    setQuery('');
    onOpen(id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && active) open(active.id);
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    const step = event.key === 'ArrowDown' ? 1 : -1;
    setIndex((now) => Math.max(0, Math.min(found.length - 1, now + step)));
  };
  const isOpen = query.trim() !== '';
  return (
    <Panel position="top-left" className="find nowheel">
      <SearchField
        label="Find a node"
        value={query}
        onChange={(value) => {
          setQuery(value);
          setIndex(0);
        }}
        onKeyDown={onKeyDown}
        list={{ id: listId, isOpen: isOpen && found.length > 0, active: active && `${listId}-${active.id}` }}
      />
      <div
        id={listId}
        className="find-list"
        role="listbox"
        aria-label="Nodes found"
        hidden={!isOpen || found.length === 0}
      >
        {found.map((node) => (
          // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the field, which names the option in hand
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles Enter for the option in hand
          <div
            key={node.id}
            id={`${listId}-${node.id}`}
            role="option"
            aria-selected={node === active}
            className="find-option"
            onClick={() => open(node.id)}
          >
            <TypeTile type={node.type} custom={node.custom} />
            <span>
              <span className="find-name">{node.label}</span>
              <span className="find-type">{node.technology || typeName(node)}</span>
            </span>
          </div>
        ))}
      </div>
      {isOpen && found.length === 0 && (
        <p className="find-list find-none" role="status">
          No node matches.
        </p>
      )}
    </Panel>
  );
}
