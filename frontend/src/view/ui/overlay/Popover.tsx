/** A popover of a button; Escape or a press outside closes it. Not modal. */
import '../../styles/menus.css';
import type { ReactElement, ReactNode } from 'react';
import { useLayer } from './layer';
import { type Parts, PartsContext, type Placing, useOpening, usePartsInside } from './overlays';

interface Props extends Placing {
  /** Its accessible name. */
  label: string;
  className?: string;
  /** Call preventDefault where the focus goes elsewhere than back to the button. */
  onCloseAutoFocus?: (event: Event) => void;
  children: ReactNode;
}

export function Popover(props: Props) {
  const opening = useOpening(props, 'dialog');
  return 'waiting' in opening ? opening.waiting : <ReadPopover {...props} {...opening} />;
}

function ReadPopover({
  parts,
  isOpenFirst,
  button,
  label,
  align = 'end',
  side = 'bottom',
  isOpen,
  onOpenChange,
  className = '',
  onCloseAutoFocus,
  children,
}: Props & { parts: Parts; isOpenFirst: boolean }) {
  const { Popover: Radix } = parts;
  const layer = useLayer();
  return (
    <Radix.Root
      defaultOpen={isOpenFirst}
      {...(isOpen !== undefined && { open: isOpen })}
      {...(onOpenChange && { onOpenChange })}
    >
      <Radix.Trigger asChild>{button}</Radix.Trigger>
      <Radix.Portal container={layer}>
        <Radix.Content
          className={`popover ${className}`}
          aria-label={label}
          align={align}
          side={side}
          sideOffset={6}
          collisionPadding={8}
          {...(onCloseAutoFocus && { onCloseAutoFocus })}
        >
          <PartsContext value={parts}>{children}</PartsContext>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Wraps a button in a popover that also closes it. */
export function PopoverClose({ children }: { children: ReactElement }) {
  const { Popover: Radix } = usePartsInside();
  return <Radix.Close asChild>{children}</Radix.Close>;
}
