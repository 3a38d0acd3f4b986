/** Menus and popovers on demand: until its button is pointed at or in focus, one costs a page nothing. */
import {
  type ButtonHTMLAttributes,
  cloneElement,
  createContext,
  type ReactElement,
  useContext,
  useEffect,
  useState,
} from 'react';

export type Parts = typeof import('./overlayParts');
/** A button that opens something; it takes a ref and the attributes of a button, as `IconButton` does. */
// biome-ignore lint/suspicious/noExplicitAny: whatever else the button takes is its own affair
export type Opener = ReactElement<any>;

let known: Parts | null = null;

async function readParts(): Promise<Parts> {
  known ??= await import('./overlayParts');
  return known;
}

/** The parts, read once they are needed; null until they are here. */
function useParts(isNeeded: boolean): Parts | null {
  const [parts, setParts] = useState(known);
  useEffect(() => {
    if (!isNeeded || parts) return;
    let isHere = true;
    void readParts().then((read) => isHere && setParts(read));
    return () => {
      isHere = false;
    };
  }, [isNeeded, parts]);
  return parts;
}

/** How a menu or popover stands to its button, and who opens it: itself, unless `isOpen` is given. */
export interface Placing {
  button: Opener;
  align?: 'start' | 'center' | 'end';
  side?: 'top' | 'right' | 'bottom' | 'left';
  isOpen?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
}

/** The parts once they are here, and whether it was pressed before; until then the button that waits for them. */
export function useOpening(
  { button, isOpen, onOpenChange }: Placing,
  kind: 'menu' | 'dialog',
): { parts: Parts; isOpenFirst: boolean } | { waiting: ReactElement } {
  const [isWanted, setIsWanted] = useState(false);
  const parts = useParts(isWanted || isOpen === true);
  if (parts) return { parts, isOpenFirst: isWanted };
  const press = () => {
    setIsWanted(true);
    onOpenChange?.(true);
  };
  return { waiting: asWaiting(button, kind, press) };
}

/** The button while what it opens has not been read: a press asks for that, and the rest foresees the press. */
function asWaiting(button: Opener, kind: 'menu' | 'dialog', onPress: () => void): ReactElement {
  const foresee = () => void readParts();
  return cloneElement<ButtonHTMLAttributes<HTMLButtonElement>>(button, {
    'aria-haspopup': kind,
    'aria-expanded': false,
    onPointerEnter: foresee,
    onFocus: foresee,
    onClick: onPress,
    onKeyDown: (event) => {
      if (kind !== 'menu' || event.key !== 'ArrowDown') return;
      event.preventDefault();
      onPress();
    },
  });
}

export const PartsContext = createContext<Parts | null>(null);

export function usePartsInside(): Parts {
  const parts = useContext(PartsContext);
  if (!parts) throw new Error('An item of a menu or popover outside of one');
  return parts;
}
