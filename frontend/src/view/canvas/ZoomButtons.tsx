/** Zoom in and out and see everything: the click-only ways of the wheel and the pinch. */
import { Panel, useReactFlow } from '@xyflow/react';
import { Maximize, Minus, Plus } from 'lucide-react';
import { IconButton } from '../ui/IconButton';
import { useShortcut } from '../ui/useShortcut';
import { FIT } from './CanvasPane';

export function ZoomButtons() {
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  const showAll = () => void fitView({ ...FIT, duration: 200 });
  useShortcut((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key === '+') void zoomIn({ duration: 150 });
    else if (event.key === '-') void zoomOut({ duration: 150 });
    else if (event.shiftKey && event.code === 'Digit1') showAll();
    else return false;
    return true;
  });
  return (
    <Panel position="bottom-left" className="canvas-bar" role="group" aria-label="Zoom">
      <IconButton
        icon={Minus}
        label="Zoom out"
        keys="-"
        className="tip-up tip-right"
        onClick={() => zoomOut({ duration: 150 })}
      />
      <IconButton
        icon={Plus}
        label="Zoom in"
        keys="+"
        className="tip-up"
        onClick={() => zoomIn({ duration: 150 })}
      />
      <IconButton
        icon={Maximize}
        label="Show everything"
        keys="Shift+1"
        className="tip-up"
        onClick={showAll}
      />
    </Panel>
  );
}
