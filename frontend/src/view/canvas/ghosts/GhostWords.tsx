/** Announces the ghosts to screen readers, as one sentence, debounced. */
import { useEffect, useState } from 'react';
import { countMarks } from '../../../model/drawing/compare';
import type { DiagramGhosts } from '../../../model/drawing/ghosts';

const REST_MS = 800;

export function GhostWords({ title, found }: { title: string; found: DiagramGhosts }) {
  const words = wordsOf(title, found);
  const [announcement, setAnnouncement] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAnnouncement(words), REST_MS);
    return () => clearTimeout(timer);
  }, [words]);
  return (
    <div className="visually-hidden ghost-words" role="status" aria-live="polite">
      {announcement}
    </div>
  );
}

function wordsOf(title: string, { nodes, edges, marks }: DiagramGhosts): string {
  const { changed, removed } = countMarks(marks);
  const added = nodes.length + edges.length;
  const parts = [
    added > 0 && `${added} to be added`,
    changed > 0 && `${changed} to be changed`,
    removed > 0 && `${removed} to be removed`,
  ];
  return `${title}, on the diagram: ${parts.filter(Boolean).join(', ')}`;
}
