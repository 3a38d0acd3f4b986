/** The preview of an export: the picture, or the text of the file. Made anew with every choice. */
import { useCallback, useEffect, useState } from 'react';
import type { Picture } from '../../model/export/svg';
import { useEditorContext } from '../context/EditorContext';
import type { Selection } from '../context/uiState';
import { type Format, isFromServer, isPicture, type Look, type Source, type What } from './choices';
import { fromServer, linesOf } from './contents';
import { drawingFor, imagesFor, pictureOf } from './picture';

export type Preview =
  | { kind: 'making' }
  | { kind: 'picture'; picture: Picture; address: string }
  | { kind: 'text'; text: string }
  /** There is nothing to export, or it cannot be made; why, in words. */
  | { kind: 'none'; why: string; isAlert: boolean };

export interface Wanted extends Look {
  what: What;
  format: Format;
  source: Source;
  selection: Selection;
}

const MAKING: Preview = { kind: 'making' };

export function usePreview({ what, format, theme, isTransparent, source, selection }: Wanted): Preview {
  const { id, live } = useEditorContext();
  // Another one for every choice, so it also says which choice a preview is of.
  const make = useCallback(
    async (signal: AbortSignal): Promise<Preview> => {
      const empty = nothingIn(what, format, source);
      if (empty) return { kind: 'none', why: empty, isAlert: false };
      if (format === 'zip') return { kind: 'text', text: (await import('./archive')).contentsOf(source) };
      if (isFromServer(format)) return { kind: 'text', text: await fromServer(id, format, live, signal) };
      if (format === 'text') return { kind: 'text', text: await linesOf(source) };
      if (what === 'document') return { kind: 'text', text: source.text };
      const isPlain = !isPicture(format);
      const drawing = await drawingFor(source.diagram, what === 'selection' ? selection : null, signal);
      const images = await imagesFor(id, drawing);
      await nextTask();
      const look = isPlain ? { theme, ...images } : { theme, isTransparent, ...images };
      const picture = signal.aborted ? null : pictureOf(drawing, source.name, look);
      if (!picture) return source.text.trim() ? { kind: 'text', text: source.text } : MAKING;
      const address = URL.createObjectURL(new Blob([picture.svg], { type: 'image/svg+xml' }));
      signal.addEventListener('abort', () => URL.revokeObjectURL(address));
      return { kind: 'picture', picture, address };
    },
    [id, live, what, format, theme, isTransparent, source, selection],
  );
  const [made, setMade] = useState<{ by: typeof make; preview: Preview } | null>(null);
  useEffect(() => {
    const ends = new AbortController();
    const show = (preview: Preview) => {
      if (!ends.signal.aborted) setMade({ by: make, preview });
    };
    make(ends.signal).then(show, (error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      show({ kind: 'none', why, isAlert: true });
    });
    return () => ends.abort();
  }, [make]);
  // One of an earlier choice stays here until this is made.
  return made?.by === make ? made.preview : MAKING;
}

/** Deferred: icons cannot be rendered during a render, and the busy state is painted first. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve));

function nothingIn(what: What, format: Format, { diagram, text }: Source): string | null {
  const isDiagramEmpty = diagram.nodes.length === 0;
  const isTextEmpty = text.trim() === '';
  if (format === 'json') return null;
  if (what === 'document' && isTextEmpty) return 'The document is empty. Write something first.';
  if (what === 'both' && isDiagramEmpty && isTextEmpty) return 'Diagram and document are empty.';
  if ((what === 'diagram' || what === 'selection') && isDiagramEmpty)
    return 'The diagram is empty. Add a node first.';
  return null;
}
