/** The overlays of gestures: menus, the node picker, and their commands. Inside the canvas. */
import '../styles/gestures.css';
import { Panel, useReactFlow, useStoreApi } from '@xyflow/react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { typeAfter } from '../../model/gestures/connect';
import { useCommands, useEditorContext, useLive, useUiState } from '../context/EditorContext';
import { later } from '../ui/loading/later';
import { typedAhead } from '../ui/loading/TypedAhead';
import { useToasts } from '../ui/overlay/Toasts';
import { connectNew, place } from './actions';
import { useClipboardEvents } from './clipboard';
import { gestureCommands } from './GestureCommands';
import { overlayOf } from './overlay';

const ContextMenu = later(async () => (await import('./ContextMenu')).ContextMenu);
const TypePicker = typedAhead('Search node types', async () => (await import('./TypePicker')).TypePicker);

export function GestureLayer() {
  const context = useEditorContext();
  const toasts = useToasts();
  const selection = useUiState((state) => state.selection);
  const overlay = overlayOf(context.ui);
  const open = useStore(overlay.open, (state) => state.open);
  const close = () => overlay.open.setState({ open: null });
  usePresence();
  useClipboardEvents(context, toasts);
  useCommands(gestureCommands(context, toasts, selection));
  return (
    <>
      <PlaceHint />
      {open?.kind === 'menu' && <ContextMenu {...open} onClose={close} />}
      {open?.kind === 'picker' && (
        <Picker
          source={open.source}
          screen={open.screen}
          onClose={close}
          onChoose={(type) => {
            close();
            if (open.source === null) place(context, toasts, type, open.at);
            else connectNew(context, toasts, open.source, type, open.at);
          }}
        />
      )}
    </>
  );
}

interface PickerProps {
  source: string | null;
  screen: { x: number; y: number };
  onChoose: (type: string) => void;
  onClose: () => void;
}

function Picker({ source, screen, onChoose, onClose }: PickerProps) {
  const from = useLive((live) => live.diagram.nodes.find(({ id }) => id === source));
  const label = from?.label;
  const title = label === undefined ? 'Add a node' : `Add a node and connect “${label}” to it`;
  return (
    <TypePicker
      title={title}
      screen={screen}
      fitting={from ? typeAfter(from.type) : null}
      onChoose={onChoose}
      onClose={onClose}
    />
  );
}

/** The hint while a type waits to be placed. */
function PlaceHint() {
  const { ui } = useEditorContext();
  const name = useUiState(({ tool }) => (tool.kind === 'place' ? tool.name : null));
  useCommands([
    {
      id: 'add.cancel',
      title: 'Do not place the node',
      group: 'Add',
      keys: ['Escape'],
      isHidden: true,
      isEnabled: () => name !== null,
      run: () => ui.set({ tool: { kind: 'select' } }),
    },
  ]);
  if (name === null) return null;
  return (
    <Panel position="top-center" className="place-hint" role="status">
      Click to place: {name}
      <kbd>Esc</kbd> cancels
    </Panel>
  );
}

/** Updates the overlay's functions for viewport and pointer; renders nothing. */
function usePresence(): void {
  const { ui } = useEditorContext();
  const flow = useReactFlow();
  const store = useStoreApi();
  useEffect(() => {
    const overlay = overlayOf(ui);
    overlay.toScreen = flow.flowToScreenPosition;
    overlay.sight = () => {
      const { width, height, transform } = store.getState();
      const [x, y, zoom] = transform;
      return { x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom };
    };
    const follow = (event: PointerEvent) => {
      const isOver =
        event.target instanceof Element && event.target.closest('.react-flow__renderer') !== null;
      const at = { x: event.clientX, y: event.clientY };
      // Asking where that is forces a layout of the page.
      overlay.pointer = isOver ? () => flow.screenToFlowPosition(at) : null;
    };
    window.addEventListener('pointermove', follow, { passive: true });
    return () => {
      overlay.toScreen = null;
      overlay.sight = null;
      overlay.pointer = null;
      window.removeEventListener('pointermove', follow);
    };
  }, [ui, flow, store]);
}
