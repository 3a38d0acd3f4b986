/** The bar over the document: formatting, outline, and the switch between editor and preview. */
import { ListTree, MessageSquareDiff, ScanEye } from 'lucide-react';
import { type ComponentProps, useRef, useState } from 'react';
import type { Heading } from '../../model/text/outline';
import { spokenKeys, written } from '../commands/keys';
import { useEditorContext, useUiState } from '../context/EditorContext';
import { useCanPropose } from '../context/useCanChange';
import { IconButton } from '../ui/IconButton';
import { HeldField } from '../ui/loading/TypedAhead';
import { Popover } from '../ui/overlay/Popover';
import { OUTLINE_KEYS, SWITCH_KEYS } from './DocumentCommands';
import { FormatBar } from './FormatBar';
import { outlineHeadings } from './laterParts';
import type { OutlineHeadings } from './OutlineHeadings';

interface Props {
  text: string;
  isFormatting: boolean;
  isWriting: boolean;
  hasSwitch: boolean;
  isOutlineOpen: boolean;
  onOutline: (isOpen: boolean) => void;
  place: () => number;
  onGo: (heading: Heading) => void;
  onAdd: (() => void) | null;
}

export function DocumentHead(props: Props) {
  const { ui } = useEditorContext();
  const { isWriting, hasSwitch } = props;
  const canPropose = useCanPropose();
  const isLive = useUiState(({ look }) => look === 'live');
  const choose = (half: 'write' | 'read') => () => ui.set({ half });
  const keys = { 'data-tip-keys': written(SWITCH_KEYS), 'aria-keyshortcuts': spokenKeys(SWITCH_KEYS) };
  return (
    <header className="document-head">
      {isWriting && <FormatBar isEnabled={props.isFormatting} />}
      <div className="document-views">
        <Outline
          text={props.text}
          isOpen={props.isOutlineOpen}
          onOpenChange={props.onOutline}
          place={props.place}
          onGo={props.onGo}
          onAdd={props.onAdd}
          keys={written(OUTLINE_KEYS)}
        />
        {canPropose && (
          <IconButton
            icon={MessageSquareDiff}
            label="Suggest another text"
            aria-haspopup="dialog"
            onClick={() => ui.set({ dialog: { kind: 'suggest-section', at: props.place() } })}
          />
        )}
        {isWriting && (
          <IconButton
            icon={ScanEye}
            label="Live preview"
            aria-pressed={isLive}
            // Keeps focus and selection in the editor.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => ui.setLook(isLive ? 'source' : 'live')}
          />
        )}
        {hasSwitch && (
          <div className="segments small" role="group" aria-label="Half of the document">
            <button
              type="button"
              aria-pressed={isWriting}
              data-tip="Write"
              {...keys}
              onClick={choose('write')}
            >
              Write
            </button>
            <button
              type="button"
              aria-pressed={!isWriting}
              data-tip="Read"
              {...keys}
              onClick={choose('read')}
            >
              Read
            </button>
          </div>
        )}
      </div>
    </header>
  );
}

interface OutlineProps extends Omit<ComponentProps<typeof OutlineHeadings>, 'leave' | 'typed'> {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  keys: string;
}

/** The button of the outline, and its popover, which opens once what is in it is loaded. */
function Outline({ isOpen, onOpenChange, keys, ...rest }: OutlineProps) {
  const Headings = outlineHeadings.usePart(isOpen);
  // After going to a section the focus is there, not at the button.
  const isLeaving = useRef(false);
  const [typed, setTyped] = useState('');
  const change = (isOpen: boolean) => {
    setTyped('');
    onOpenChange(isOpen);
  };
  const leave = (go: () => void) => {
    isLeaving.current = true;
    change(false);
    requestAnimationFrame(go);
  };
  return (
    <>
      <Popover
        button={<IconButton icon={ListTree} label="Outline" keys={keys} className="small" />}
        label="Outline"
        className="outline"
        isOpen={isOpen && Headings !== null}
        onOpenChange={change}
        onCloseAutoFocus={(event) => {
          if (isLeaving.current) event.preventDefault();
          isLeaving.current = false;
        }}
      >
        {Headings && <Headings {...rest} typed={typed} leave={leave} />}
      </Popover>
      {isOpen && !Headings && (
        <HeldField label="Filter sections" typed={typed} onType={setTyped} onClose={() => change(false)} />
      )}
    </>
  );
}
