/** The shapes of the icons of node types as SVG, taken from the icons of the canvas. */
import { Box, Lock } from 'lucide-react';
import { createElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { TYPE_ICONS } from '../drawing/typeIcons';

const known = new Map<string, string>();

/** Not during a React render, because it renders the icon itself. */
export function iconShapes(name: string): string {
  const before = known.get(name);
  if (before !== undefined) return before;
  const icon = name === 'lock' ? Lock : (TYPE_ICONS[name] ?? Box);
  const place = document.createElement('div');
  const root = createRoot(place);
  flushSync(() => root.render(createElement(icon)));
  const shapes = place.querySelector('svg')?.innerHTML ?? '';
  root.unmount();
  known.set(name, shapes);
  return shapes;
}
