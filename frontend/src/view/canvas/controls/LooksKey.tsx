/**
 * What the legend says of styles and colours, as long as something has them, and of custom types that nodes have. Loaded after the
 * first view; draws nothing itself.
 */
import { useEffect } from 'react';
import { tintNameOf } from '../../../model/core/customTypes';
import type { Drawing } from '../../../model/drawing/drawing';
import { COLOR_NAMES, STYLE_NAMES } from '../../../model/words/looks';
import type { CustomType } from '../../../protocol/types';
import { useCanvas } from '../canvasState';

/** In the order in which they are offered. */
const LOOKS = [...Object.keys(STYLE_NAMES), ...Object.keys(COLOR_NAMES)].filter(Boolean);

export function LooksKey({ drawing }: { drawing: Drawing }): null {
  const { store } = useCanvas();
  const used = JSON.stringify([looksIn(drawing), typesIn(drawing)]);
  useEffect(() => {
    const [names, types] = JSON.parse(used) as [string[], CustomType[]];
    store.setState({
      looks: [
        ...types.map((custom) => <OwnType key={`type ${custom.name}`} custom={custom} />),
        ...names.map((name) => <Look key={name} name={name} />),
      ],
    });
  }, [store, used]);
  return null;
}

function looksIn({ nodes, edges }: Drawing): string[] {
  const all = [...nodes.map(({ node }) => node), ...edges.map(({ edge }) => edge)];
  const used = new Set(all.flatMap(({ style, color }) => [style, color]));
  return LOOKS.filter((name) => used.has(name));
}

/** By name, each once. */
function typesIn({ nodes }: Drawing): CustomType[] {
  const used = new Set(nodes.flatMap(({ node }) => node.custom ?? []));
  return [...used].sort((one, other) => one.name.localeCompare(other.name));
}

function OwnType({ custom }: { custom: CustomType }) {
  const tint = tintNameOf({ type: custom.base, custom });
  return (
    <li>
      <svg width="10" height="10" aria-hidden="true" focusable="false">
        <rect width="10" height="10" rx="3" fill={`var(--tint-${tint}, var(--tint-other))`} />
      </svg>
      {custom.name}
    </li>
  );
}

/** A style as a line has it, or a colour. */
function Look({ name }: { name: string }) {
  const isStyle = name in STYLE_NAMES;
  return (
    <li>
      <svg width={isStyle ? 28 : 10} height="10" aria-hidden="true" focusable="false">
        {isStyle ? (
          <path className="edge-line" data-style={name} d="M1 5H27" />
        ) : (
          <circle cx="5" cy="5" r="5" fill={`var(--tint-${name})`} />
        )}
      </svg>
      {isStyle ? STYLE_NAMES[name] : COLOR_NAMES[name]}
    </li>
  );
}
