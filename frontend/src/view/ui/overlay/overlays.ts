/** Loads menus and popovers on demand: until its button is hovered or focused, one costs nothing. */
import {
  type ButtonHTMLAttributes,
  cloneElement,
  createContext,
  type ReactElement,
  useContext,
  useState,
} from 'react';
import { laterPart } from '../loading/later';

export type Parts = typeof import('./overlayParts');
/** A button that opens something; it takes a ref and the attributes of a button, as `IconButton` does. */
// biome-ignore lint/suspicious/noExplicitAny: whatever else the button takes is its own affair
export type Opener = ReactElement<any>;

const overlayParts = laterPart(() => import('./overlayParts'));

export const loadOverlays = overlayParts.load;

/** Position of a menu or popover, and who controls it: itself, unless `isOpen` is given. */
export interface Placing {
  button: Opener;
  align?: 'start' | 'center' | 'end';
  side?: 'top' | 'right' | 'bottom' | 'left';
  isOpen?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
}

/** The components once they are loaded, and whether the button was pressed before; until then a placeholder button. */
export function useOpening(
  { button, isOpen, onOpenChange }: Placing,
  kind: 'menu' | 'dialog',
): { parts: Parts; isOpenFirst: boolean } | { waiting: ReactElement } {
  const [isWanted, setIsWanted] = useState(false);
  const parts = overlayParts.usePart(isWanted || isOpen === true);
  if (parts) return { parts, isOpenFirst: isWanted };
  const press = () => {
    setIsWanted(true);
    onOpenChange?.(true);
  };
  return { waiting: asWaiting(button, kind, press) };
}

/** The button before its components are loaded: a press loads them, hover and focus preload them. */
function asWaiting(button: Opener, kind: 'menu' | 'dialog', onPress: () => void): ReactElement {
  const foresee = () => void overlayParts.load();
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
