/** Zoom buttons: alternatives to wheel and pinch. */
import { Panel, useReactFlow } from '@xyflow/react';
import { Maximize, Minus, Plus } from 'lucide-react';
import { useCommands, useEditorContext } from '../../context/EditorContext';
import { IconButton } from '../../ui/IconButton';
import { prefersReducedMotion } from '../../ui/reducedMotion';
import type { ViewportControls } from '../useFitView';

export function ZoomButtons({ viewport }: { viewport: ViewportControls }) {
  const flow = useReactFlow();
  const { ui } = useEditorContext();
  const zoom = (way: 'zoomIn' | 'zoomOut') => {
    viewport.touch();
    void flow[way]({ duration: prefersReducedMotion() ? 0 : 150 });
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
      run: () => viewport.showAll(),
    },
    {
      id: 'view.zoom-selection',
      title: 'Zoom to the selection',
      group: 'View',
      keys: ['Shift+2'],
      isEnabled: () => ui.get().selection.nodes.size > 0,
      run: () => viewport.zoomTo(ui.get().selection.nodes),
    },
  ]);
  return (
    <Panel position="bottom-left" className="canvas-bar" role="group" aria-label="Zoom">
      <IconButton icon={Minus} label="Zoom out" keys="-" onClick={() => zoom('zoomOut')} />
      <IconButton icon={Plus} label="Zoom in" keys="+" onClick={() => zoom('zoomIn')} />
      <IconButton icon={Maximize} label="Show everything" keys="Shift+1" onClick={() => viewport.showAll()} />
    </Panel>
  );
}
