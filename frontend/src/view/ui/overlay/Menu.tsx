/** A menu of a button: items, a choice of several, submenus. Keys and roles are Radix's. */
import '../../styles/menus.css';
import { Check, ChevronRight, type LucideIcon } from 'lucide-react';
import { createContext, type ReactNode, type RefObject, useContext, useRef } from 'react';
import { useLayer } from './layer';
import { type Parts, PartsContext, type Placing, useOpening, usePartsInside } from './overlays';

/**
 * The chosen action: run after the menu has closed and the button has the focus again, which a dialog then restores.
 */
const ChosenContext = createContext<RefObject<(() => void) | null>>({ current: null });

interface MenuProps extends Placing {
  children: ReactNode;
}

export function Menu(props: MenuProps) {
  const opening = useOpening(props, 'menu');
  return 'waiting' in opening ? opening.waiting : <ReadMenu {...props} {...opening} />;
}

interface ReadProps extends MenuProps {
  parts: Parts;
  isOpenFirst: boolean;
}

function ReadMenu({
  parts,
  isOpenFirst,
  button,
  align = 'end',
  side = 'bottom',
  isOpen,
  onOpenChange,
  children,
}: ReadProps) {
  const { DropdownMenu: Radix } = parts;
  const layer = useLayer();
  const chosen = useRef<(() => void) | null>(null);
  const onClosed = () =>
    queueMicrotask(() => {
      const run = chosen.current;
      chosen.current = null;
      run?.();
    });
  return (
    <Radix.Root
      // Modal would hide the rest of the page from screen readers, with what is focused there.
      modal={false}
      defaultOpen={isOpenFirst}
      {...(isOpen !== undefined && { open: isOpen })}
      {...(onOpenChange && { onOpenChange })}
    >
      <Radix.Trigger asChild>{button}</Radix.Trigger>
      <Radix.Portal container={layer}>
        <Radix.Content
          className="menu"
          align={align}
          side={side}
          sideOffset={6}
          collisionPadding={8}
          data-modal
          onCloseAutoFocus={onClosed}
        >
          <PartsContext value={parts}>
            <ChosenContext value={chosen}>{children}</ChosenContext>
          </PartsContext>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

interface ItemProps {
  icon?: LucideIcon;
  /** As they are written on this platform; see `written`. */
  keys?: string;
  tone?: 'plain' | 'bad';
  isDisabled?: boolean;
  onChoose: () => void;
  children: ReactNode;
}

export function MenuItem({
  icon: Icon,
  keys,
  tone = 'plain',
  isDisabled = false,
  onChoose,
  children,
}: ItemProps) {
  const { DropdownMenu: Radix } = usePartsInside();
  const chosen = useContext(ChosenContext);
  const choose = () => {
    chosen.current = onChoose;
  };
  return (
    <Radix.Item className={`menu-item ${tone}`} disabled={isDisabled} onSelect={choose}>
      <span className="menu-icon">{Icon && <Icon size={16} strokeWidth={1.9} aria-hidden="true" />}</span>
      <span className="menu-text">{children}</span>
      {keys && <kbd className="menu-keys">{keys}</kbd>}
    </Radix.Item>
  );
}

/** A link as an item: opens or downloads its address. */
export function MenuLink({
  icon: Icon,
  href,
  download,
  children,
}: Pick<ItemProps, 'icon' | 'children'> & { href: string; download?: string }) {
  const { DropdownMenu: Radix } = usePartsInside();
  return (
    <Radix.Item className="menu-item" asChild>
      <a href={href} download={download}>
        <span className="menu-icon">{Icon && <Icon size={16} strokeWidth={1.9} aria-hidden="true" />}</span>
        <span className="menu-text">{children}</span>
      </a>
    </Radix.Item>
  );
}

interface ChoicesProps<T extends string> {
  label: string;
  value: T;
  choices: readonly { value: T; text: string; icon?: LucideIcon }[];
  onChoose: (value: T) => void;
  /** A choice is looked at, by pointer or by key; null when none is any more. */
  onLook?: (value: T | null) => void;
}

/** One of several; the current one is checked. */
export function MenuChoices<T extends string>({ label, value, choices, onChoose, onLook }: ChoicesProps<T>) {
  const { DropdownMenu: Radix } = usePartsInside();
  return (
    <Radix.RadioGroup aria-label={label} value={value} onValueChange={(next) => onChoose(next as T)}>
      {choices.map(({ value: one, text, icon: Icon }) => (
        <Radix.RadioItem
          key={one}
          value={one}
          className="menu-item"
          onFocus={() => onLook?.(one)}
          onBlur={() => onLook?.(null)}
        >
          <span className="menu-icon">{Icon && <Icon size={16} strokeWidth={1.9} aria-hidden="true" />}</span>
          <span className="menu-text">{text}</span>
          <Radix.ItemIndicator className="menu-tick">
            <Check size={15} strokeWidth={2.2} aria-hidden="true" />
          </Radix.ItemIndicator>
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  );
}

export function SubMenu({
  icon: Icon,
  label,
  children,
}: {
  icon?: LucideIcon;
  label: string;
  children: ReactNode;
}) {
  const { DropdownMenu: Radix } = usePartsInside();
  const layer = useLayer();
  return (
    <Radix.Sub>
      <Radix.SubTrigger className="menu-item">
        <span className="menu-icon">{Icon && <Icon size={16} strokeWidth={1.9} aria-hidden="true" />}</span>
        <span className="menu-text">{label}</span>
        <ChevronRight size={15} strokeWidth={2} aria-hidden="true" />
      </Radix.SubTrigger>
      <Radix.Portal container={layer}>
        <Radix.SubContent className="menu" sideOffset={4} collisionPadding={8}>
          {children}
        </Radix.SubContent>
      </Radix.Portal>
    </Radix.Sub>
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  const { DropdownMenu: Radix } = usePartsInside();
  return <Radix.Label className="menu-label">{children}</Radix.Label>;
}

export function MenuSeparator() {
  const { DropdownMenu: Radix } = usePartsInside();
  return <Radix.Separator className="menu-separator" />;
}
