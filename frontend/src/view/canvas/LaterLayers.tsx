/**
 * What the first view of the canvas can do without: traces of gestures over it, handles of lines, commands that arrange,
 * looks of nodes and lines with their legend, the search for lines of what is dragged, what is written on notes, images of
 * nodes, icons of technologies and what is brought to nodes. What these need is read after this, so that it is not named in the first view.
 */
import { useEffect } from 'react';
import type { Drawing } from '../../model/drawing/drawing';
import { startMovedLines } from '../../model/drawing/moved/searchMoved';
import { ArrangeCommands } from '../gestures/arrangeCommands';
import { laterInBackground } from '../ui/loading/later';
import { useCanvas, useCanvasState } from './canvasState';
import { LooksKey } from './controls/LooksKey';
import { WrittenText } from './notes/WrittenText';
import { PointerLayer } from './PointerLayer';
import '../styles/looks.css';
import '../styles/annotations.css';
import type { DiagramNode } from '../../protocol/types';
import { TypeTile } from '../drawing/TypeTile';

startMovedLines();

const EdgeHandles = laterInBackground(async () => (await import('./handles/EdgeHandles')).EdgeHandles);
const NodeImages = laterInBackground(async () => (await import('./NodeImages')).NodeImages);

const ImageTile = laterInBackground(async () => (await import('../images/ImageTile')).ImageTile, TypeTile);
const TechnologyTile = laterInBackground(
  async () => (await import('../images/TechnologyTile')).TechnologyTile,
  TypeTile,
);

export function LaterLayers({ drawing }: { drawing: Drawing }) {
  const { isWritable, store } = useCanvas();
  const proposed = useCanvasState((state) => state.proposed?.nodes) ?? [];
  const hasTiles = [...drawing.nodes, ...proposed].some(({ node }) => hasTile(node));
  useEffect(() => {
    if (hasTiles) store.setState({ Tile: NodeTile });
  }, [store, hasTiles]);
  useEffect(() => store.setState({ Written: WrittenText }), [store]);
  return (
    <>
      <PointerLayer drawing={drawing} />
      <ArrangeCommands />
      <LooksKey drawing={drawing} />
      {isWritable && <NodeImages />}
      {isWritable && <EdgeHandles drawing={drawing} />}
    </>
  );
}

type Tiled = Pick<DiagramNode, 'type' | 'color' | 'image' | 'technology' | 'custom'>;

const hasTile = ({ image, technology, custom }: Tiled): boolean =>
  Boolean(image || technology || custom?.icon);

/**
 * What stands for a node on its card where some node has an image or an icon: its image, else the icon of its technology or of its
 * custom type, else that of its built-in type.
 */
function NodeTile(node: Tiled) {
  if (node.image) return <ImageTile {...node} />;
  return hasTile(node) ? <TechnologyTile {...node} /> : <TypeTile {...node} />;
}
