/** A plugin of the build: icons of node types as texts, so that no React is needed for them. */
import { Lock } from 'lucide-react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Plugin } from 'vite';
import { TYPE_ICONS } from '../src/view/drawing/typeIcons.ts';

/** Answers imports of `virtual:type-icons`: the shapes of each type, and of `lock`, in a square of 24 units. */
export function typeIcons(): Plugin {
  const [name, resolved] = ['virtual:type-icons', '\0type-icons'];
  return {
    name: 'type-icons',
    resolveId: (id) => (id === name ? resolved : null),
    load(id) {
      if (id !== resolved) return null;
      const icons = Object.entries({ ...TYPE_ICONS, lock: Lock }).map(([type, icon]) => [
        type,
        renderToStaticMarkup(createElement(icon)).replace(/^<svg[^>]*>|<\/svg>$/g, ''),
      ]);
      return `export default ${JSON.stringify(Object.fromEntries(icons))}`;
    },
  };
}
