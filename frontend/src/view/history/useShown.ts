/** What is in sight: the newest state, or an old one, perhaps beside what it is compared with. */
import type { Diagram } from '../../protocol/types';
import { useLive } from '../desk/Desk';

export type Mark = 'added' | 'changed' | 'removed';

/** How things differ from what they are compared with; what was removed is in the diagram that is shown. */
export interface Marks {
  nodes: ReadonlyMap<string, Mark>;
  edges: ReadonlyMap<string, Mark>;
}

export interface Shown {
  diagram: Diagram;
  text: string;
  /** Null where nothing is compared. */
  marks: Marks | null;
  /** Whether it is the newest state, which alone can be changed. */
  isNewest: boolean;
}

export function useShown(): Shown {
  const diagram = useLive((live) => live.diagram);
  const text = useLive((live) => live.text);
  return { diagram, text, marks: null, isNewest: true };
}
