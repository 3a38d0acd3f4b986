/** The button of the outline, and its popover, which opens once what is in it is loaded. */
import { ListTree } from 'lucide-react';
import { type ComponentProps, useRef, useState } from 'react';
import { IconButton } from '../ui/IconButton';
import { HeldField } from '../ui/loading/TypedAhead';
import { Popover } from '../ui/overlay/Popover';
import { outlineHeadings } from './laterParts';
import type { OutlineHeadings } from './OutlineHeadings';

interface Props extends Omit<ComponentProps<typeof OutlineHeadings>, 'leave' | 'typed'> {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  keys: string;
}

export function Outline({ isOpen, onOpenChange, keys, ...rest }: Props) {
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
