/**
 * The icon of a node's technology, or of its custom type, in the place of its built-in type's icon, which stays where there is none or
 * it cannot be read; and in Properties, with the technologies that are known.
 */
import '../styles/node-images.css';
import { useState } from 'react';
import { iconFor } from '../../model/words/technologies';
import type { DiagramNode } from '../../protocol/types';
import { TypeTile } from '../drawing/TypeTile';
import { sourceOfIcon, useIconTable } from './technologyIcons';

type Props = Pick<DiagramNode, 'type' | 'color' | 'technology' | 'custom'>;

export function TechnologyTile({ type, color, technology, custom }: Props) {
  const table = useIconTable();
  const icon = table && (iconFor(technology, table) ?? iconFor(custom?.icon ?? '', table));
  const source = icon && sourceOfIcon(icon);
  const [drawn, setDrawn] = useState<string | null>(null);
  const isDrawn = source !== null && drawn === source;
  if (!source) return <TypeTile type={type} color={color} custom={custom} />;
  return (
    <span className="image-tile technology-tile" data-technology={icon.names[0]} aria-hidden="true">
      {!isDrawn && <TypeTile type={type} color={color} custom={custom} />}
      <img
        key={source}
        src={source}
        alt=""
        hidden={!isDrawn}
        decoding="async"
        draggable={false}
        onLoad={() => setDrawn(source)}
      />
    </span>
  );
}

/** The icon that a node has for its technology, with its name, or that there is none by this one. */
export function TechnologyIcon(node: Props & Pick<DiagramNode, 'image'>) {
  const table = useIconTable();
  if (!table || !node.technology) return null;
  const icon = iconFor(node.technology, table);
  const name = icon ? `The icon of ${icon.names[0]}` : 'No icon by this name';
  return (
    <div className="technology-icon">
      {icon && <TechnologyTile {...node} />}
      <span className="field-hint">
        {icon && node.image ? `${name}; the image stands in its place` : name}
      </span>
    </div>
  );
}

/** What the field of a technology completes. */
export function KnownTechnologies({ id }: { id: string }) {
  const table = useIconTable();
  const names = new Set([...(table?.values() ?? [])].map((icon) => icon.names[0] ?? ''));
  return (
    <datalist id={id}>
      {[...names]
        .sort((a, b) => a.localeCompare(b))
        .map((name) => (
          <option key={name} value={name} />
        ))}
    </datalist>
  );
}
