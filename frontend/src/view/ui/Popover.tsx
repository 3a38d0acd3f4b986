/** A small panel beside the button that opens it; Escape or a press outside closes it. Not modal: the page stays usable. */
import '../styles/menus.css';
import { Popover as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import { useLayer } from './layer';

interface Props {
  /** Opens it; takes a ref and the attributes of a button, as `IconButton` does. */
  button: ReactElement;
  /** What it is called. */
  label: string;
  align?: 'start' | 'center' | 'end';
  side?: 'top' | 'right' | 'bottom' | 'left';
  isOpen?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
  className?: string;
  children: ReactNode;
}

export function Popover({
  button,
  label,
  align = 'end',
  side = 'bottom',
  isOpen,
  onOpenChange,
  className = '',
  children,
}: Props) {
  const layer = useLayer();
  return (
    <Radix.Root {...(isOpen !== undefined && { open: isOpen })} {...(onOpenChange && { onOpenChange })}>
      <Radix.Trigger asChild>{button}</Radix.Trigger>
      <Radix.Portal {...(layer && { container: layer })}>
        <Radix.Content
          className={`popover ${className}`}
          aria-label={label}
          align={align}
          side={side}
          sideOffset={6}
          collisionPadding={8}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Put around a button in a popover that also closes it. */
export const PopoverClose = ({ children }: { children: ReactElement }) => (
  <Radix.Close asChild>{children}</Radix.Close>
);
