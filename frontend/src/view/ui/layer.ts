/** Where menus and popovers are put: the page, or the modal dialog they were opened in, since nothing outside it can be reached. */
import { createContext, useContext } from 'react';

export const LayerContext = createContext<HTMLElement | null>(null);

/** The element to put an overlay into; undefined for the end of the page. */
export const useLayer = (): HTMLElement | undefined => useContext(LayerContext) ?? undefined;
