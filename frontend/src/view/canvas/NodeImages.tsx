/**
 * Images that are brought to nodes on the canvas: dropped on a card, pasted while one node is selected, chosen by a
 * command. For who may write; draws nothing. Not here: what of them is drawn (`NodeTile`), the field in Properties.
 */
import { ImageOff, ImageUp } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { type EditorContext, useCommands, useEditorContext } from '../context/EditorContext';

// Both are there when an image is set while the server is away.
import '../images/ImageTile';
import '../properties/ImageField';
import { chooseFiles } from '../images/chooseFiles';
import { carriesFiles, droppedFiles, pastedFiles } from '../images/takenFiles';
import { useNodeImages } from '../images/useNodeImages';
import { useToasts } from '../ui/overlay/Toasts';
import { isModalOpen, isTyping } from '../ui/useShortcut';
import { useCanvas } from './canvasState';

export function NodeImages() {
  const context = useEditorContext();
  const { store } = useCanvas();
  const images = useNodeImages();
  const labelOf = (node: string) => context.client.view.nodes.get(node)?.label ?? node;
  const set = async (node: string, files: readonly File[]) => {
    if (await images.set(node, files)) store.setState({ spoken: `“${labelOf(node)}” has an image` });
  };
  const remove = (node: string) => {
    images.remove(node);
    store.setState({ spoken: `“${labelOf(node)}” has no image any more` });
  };
  useDrops(set);
  usePastes(set);
  const only = () => onlyNode(context);
  const withImage = () => {
    const node = only();
    return node !== null && context.client.view.nodes.get(node)?.image ? node : null;
  };
  useCommands([
    {
      id: 'node.image',
      title: 'Choose an image for the node…',
      group: 'Edit',
      icon: ImageUp,
      words: 'picture photo logo icon screenshot upload file',
      isEnabled: () => only() !== null,
      run: () => {
        const node = only();
        if (node !== null) chooseFiles((files) => void set(node, files));
      },
    },
    {
      id: 'node.image-remove',
      title: 'Remove the image of the node',
      group: 'Edit',
      icon: ImageOff,
      words: 'picture photo logo icon delete clear',
      isEnabled: () => withImage() !== null,
      run: () => {
        const node = withImage();
        if (node !== null) remove(node);
      },
    },
  ]);
  return null;
}

/** The node that is selected alone. */
function onlyNode({ ui }: EditorContext): string | null {
  const { nodes, edges } = ui.get().selection;
  const [node] = nodes;
  return nodes.size === 1 && edges.size === 0 ? (node ?? null) : null;
}

type Take = (node: string, files: readonly File[]) => Promise<void>;

/** Takes a file that is dropped on a card. A frame is no target: what is dropped there was meant for something in it. */
function useDrops(take: Take): void {
  const { store } = useCanvas();
  const newest = useRef(take);
  newest.current = take;
  useEffect(() => {
    const ends = new AbortController();
    const mark = (node: string | null) => {
      if (store.getState().dropInto !== node) store.setState({ dropInto: node });
    };
    const over = (event: DragEvent) => {
      if (event.defaultPrevented || !carriesFiles(event.dataTransfer)) return;
      const node = cardAt(event.target);
      mark(node);
      if (node === null) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
    };
    const dropped = (event: DragEvent) => {
      const files = droppedFiles(event.dataTransfer);
      const node = cardAt(event.target);
      if (event.defaultPrevented || files.length === 0) return;
      mark(null);
      if (node === null) return;
      event.preventDefault();
      void newest.current(node, files);
    };
    document.addEventListener('dragover', over, { signal: ends.signal });
    document.addEventListener('drop', dropped, { signal: ends.signal });
    return () => ends.abort();
  }, [store]);
}

function cardAt(target: EventTarget | null): string | null {
  const element = target instanceof Element ? target.closest<HTMLElement>('.react-flow__node') : null;
  return element?.querySelector('.node-card') ? (element.dataset.id ?? null) : null;
}

/** Whether what is pasted is neither for a field nor for the document. */
const isForCanvas = ({ ui }: EditorContext): boolean =>
  ui.get().focus === 'canvas' && !isTyping(document.activeElement) && !isModalOpen();

/** Takes a pasted image, which is for the one node that is selected. */
function usePastes(take: Take): void {
  const context = useEditorContext();
  const toasts = useToasts();
  const newest = useRef(take);
  newest.current = take;
  useEffect(() => {
    const pasted = (event: ClipboardEvent) => {
      const files = isForCanvas(context) ? pastedFiles(event.clipboardData) : [];
      if (files.length === 0) return;
      // Before what pastes nodes, which would say that this is no text of any.
      event.preventDefault();
      event.stopPropagation();
      const node = onlyNode(context);
      if (node !== null) void newest.current(node, files);
      else
        toasts.show({
          text: 'The image was not pasted',
          detail: 'Select one node first: the image becomes its image.',
        });
    };
    document.addEventListener('paste', pasted, { capture: true });
    return () => document.removeEventListener('paste', pasted, { capture: true });
  }, [context, toasts]);
}
