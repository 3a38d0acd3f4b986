/**
 * The context menu of the canvas: right click, Shift+F10 or the menu key. Not here: its items (`ContextMenuItems.tsx`).
 */
import { createPortal } from 'react-dom';
import type { Point } from '../../protocol/types';
import { useEditorContext, useLive, useUiState } from '../context/EditorContext';
import { LayerContext } from '../ui/overlay/layer';
import { Menu, MenuSeparator } from '../ui/overlay/Menu';
import {
  CanvasItems,
  CommandItem,
  EdgeItems,
  LooksItems,
  NodeItems,
  PropertiesItem,
  SeveralItems,
} from './ContextMenuItems';
import { focusElement } from './InlineName';
import type { Target } from './overlay';

interface Props {
  target: Target;
  at: Point;
  screen: Point;
  onClose: () => void;
}

export function ContextMenu({ target, at, screen, onClose }: Props) {
  const selection = useUiState((state) => state.selection);
  const { access } = useEditorContext();
  const diagram = useLive((live) => live.diagram);
  const count = selection.nodes.size + selection.edges.size;
  const node = diagram.nodes.find(({ id }) => count === 1 && selection.nodes.has(id));
  const edge = diagram.edges.find(({ id }) => count === 1 && selection.edges.has(id));
  const close = () => {
    // The focus returns to the element of the menu.
    if (target.kind === 'canvas') document.getElementById('diagram')?.focus({ preventScroll: true });
    else focusElement(target.kind, target.id);
    onClose();
  };
  const style = { left: screen.x, top: screen.y };
  const anchor = (
    <button type="button" className="menu-anchor" style={style} tabIndex={-1} aria-label="Menu" />
  );
  // In the main landmark, for navigation by landmarks.
  const main = document.querySelector('main') ?? document.body;
  return createPortal(
    <LayerContext value={main}>
      <Menu button={anchor} align="start" isOpen onOpenChange={(isOpen) => !isOpen && close()}>
        {target.kind === 'canvas' ? (
          <CanvasItems at={at} screen={screen} />
        ) : node ? (
          <NodeItems node={node} />
        ) : edge ? (
          <EdgeItems edge={edge} />
        ) : (
          <SeveralItems />
        )}
        {target.kind !== 'canvas' && (
          <>
            {access.isWritable && <LooksItems />}
            <PropertiesItem />
            {access.isWritable && (
              <>
                <MenuSeparator />
                <CommandItem id="edit.delete" tone="bad" />
              </>
            )}
          </>
        )}
      </Menu>
    </LayerContext>,
    main,
  );
}
