/** What is written on a note or as a text, in letters that can be read at each zoom; as much of it as there is room for. */
import type { DrawnNode } from '../../../model/drawing/drawing';
import { LEGIBLE } from '../../../model/drawing/legible';
import { LETTERS, ROOM_AROUND, writtenOn } from '../../../model/words/annotations';
import { useUiState } from '../../context/EditorContext';
import { useCanvas, useCanvasState } from '../canvasState';
import { WritingField } from './WritingField';

const CORNERS = ['nw', 'ne', 'se', 'sw'];

interface Props {
  /** Of a ghost, which is never changed where it is drawn, as if it were locked. */
  drawn: Pick<DrawnNode, 'node' | 'box' | 'isLocked'>;
  isRenaming: boolean;
}

export function WrittenText({ drawn, isRenaming }: Props) {
  const { node, box, isLocked } = drawn;
  const { isWritable } = useCanvas();
  const lines = useCanvasState(({ step }) => linesIn(box.height, step));
  const isOnly = useUiState(({ selection: { nodes } }) => nodes.size === 1 && nodes.has(node.id));
  if (isRenaming) return <WritingField node={node} box={box} />;
  return (
    <>
      <span className="node-label written" style={{ WebkitLineClamp: lines }}>
        {writtenOn(node)}
      </span>
      {isWritable &&
        isOnly &&
        !isLocked &&
        CORNERS.map((one) => <i key={one} data-handle={one} className={`pull ${one}`} />)}
    </>
  );
}

/** At a step of the zoom; from afar letters are larger than those around them. */
function linesIn(height: number, step: number): number {
  const size = Math.max(LETTERS.size, LEGIBLE / step);
  const lineHeight = (size * LETTERS.lineHeight) / LETTERS.size;
  return Math.max(1, Math.floor((height - 2 * ROOM_AROUND.y + 0.5) / lineHeight));
}
