/** Zoom in and out and see everything: the click-only ways of the wheel and the pinch. */
import { Panel, useReactFlow } from '@xyflow/react';
import { Maximize, Minus, Plus } from 'lucide-react';
import { useCommands, useEditorContext } from '../context/EditorContext';
import { IconButton } from '../ui/IconButton';
import { isCalm } from '../ui/motion';
import type { Framing } from './useViewport';

export function ZoomButtons({ framing }: { framing: Framing }) {
  const flow = useReactFlow();
  const { ui } = useEditorContext();
  const zoom = (way: 'zoomIn' | 'zoomOut') => {
    framing.touch();
    void flow[way]({ duration: isCalm() ? 0 : 150 });
  };
  useCommands([
    {
      id: 'view.zoom-in',
      title: 'Zoom in',
      group: 'View',
      icon: Plus,
      keys: ['+', '='],
      run: () => zoom('zoomIn'),
    },
    {
      id: 'view.zoom-out',
      title: 'Zoom out',
      group: 'View',
      icon: Minus,
      keys: ['-'],
      run: () => zoom('zoomOut'),
    },
    {
      id: 'view.fit',
      title: 'Show everything',
      group: 'View',
      icon: Maximize,
      keys: ['Shift+1'],
      words: 'fit zoom whole all',
      run: () => framing.showAll(),
    },
    {
      id: 'view.zoom-selection',
      title: 'Zoom to the selection',
      group: 'View',
      keys: ['Shift+2'],
      isEnabled: () => ui.get().selection.nodes.size > 0,
      run: () => framing.zoomTo(ui.get().selection.nodes),
    },
  ]);
  return (
    <Panel position="bottom-left" className="canvas-bar" role="group" aria-label="Zoom">
      <IconButton icon={Minus} label="Zoom out" keys="-" onClick={() => zoom('zoomOut')} />
      <IconButton icon={Plus} label="Zoom in" keys="+" onClick={() => zoom('zoomIn')} />
      <IconButton icon={Maximize} label="Show everything" keys="Shift+1" onClick={() => framing.showAll()} />
    </Panel>
  );
}
