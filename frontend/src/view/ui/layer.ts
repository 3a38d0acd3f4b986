/** Where menus and popovers are put: over the page, or in the modal dialog they were opened in, since nothing else can be reached. */
import { createContext, useContext } from 'react';

export const LayerContext = createContext<HTMLElement | null>(null);

/** The element to put an overlay into. */
export const useLayer = (): HTMLElement => useContext(LayerContext) ?? pageLayer();

let layer: HTMLElement | null = null;

/** A region of the page, so that who goes from region to region gets there, too; while it is empty there is none (`menus.css`). */
function pageLayer(): HTMLElement {
  if (layer?.isConnected) return layer;
  layer = document.createElement('div');
  layer.className = 'layer';
  layer.setAttribute('role', 'region');
  layer.setAttribute('aria-label', 'Menu');
  document.body.append(layer);
  return layer;
}
