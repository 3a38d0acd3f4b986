/** When something is printed: by the editor, once all of it is drawn, or by the browser, with what is there at once. */
import { useEffect, useRef } from 'react';
import type { Toasts } from '../ui/overlay/Toasts';
import type { Chosen, Source } from './choices';
import { isSheetShown, sheetAtOnce, showSheet, wholeSheet } from './printSheet';

let isPreparing = false;

/** Opens the browser's print dialog with all of a state, from where it can be saved as PDF, too. */
export async function printWhole(source: Source, chosen: Chosen, toasts: Toasts): Promise<void> {
  if (isPreparing) return;
  isPreparing = true;
  const endMessage = toasts.show({ text: 'Getting ready to print…', stays: true });
  try {
    const sheet = await wholeSheet(source, chosen);
    window.addEventListener('afterprint', showSheet(sheet), { once: true });
    await sheet.drawn;
  } catch (error) {
    toasts.showError(error);
    return;
  } finally {
    endMessage();
    isPreparing = false;
  }
  window.print();
}

/** Prints this state where the browser's own menu is used, which waits for nothing. */
export function useNativePrint(source: Source): void {
  const newest = useRef(source);
  newest.current = source;
  useEffect(() => {
    let close: (() => void) | null = null;
    const open = () => {
      if (!isSheetShown()) close = showSheet(sheetAtOnce(newest.current));
    };
    const end = () => {
      close?.();
      close = null;
    };
    window.addEventListener('beforeprint', open);
    window.addEventListener('afterprint', end);
    return () => {
      end();
      window.removeEventListener('beforeprint', open);
      window.removeEventListener('afterprint', end);
    };
  }, []);
}
