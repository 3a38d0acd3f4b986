/**
 * The container of menus and popovers: the page, or the modal dialog they were opened in, since nothing else can be
 * focused then.
 */
import { createContext, useContext } from 'react';

export const LayerContext = createContext<HTMLElement | null>(null);

/** The element to put an overlay into. */
export const useLayer = (): HTMLElement => useContext(LayerContext) ?? pageLayer();

let layer: HTMLElement | null = null;

/** A landmark region, for navigation by landmarks; hidden while it is empty (`menus.css`). */
function pageLayer(): HTMLElement {
  if (layer?.isConnected) return layer;
  layer = document.createElement('div');
  layer.className = 'layer';
  layer.setAttribute('role', 'region');
  layer.setAttribute('aria-label', 'Menu');
  document.body.append(layer);
  return layer;
}
