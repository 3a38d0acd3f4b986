/** What the page and the frame that draws Mermaid diagrams tell each other, over a channel of their own. */

export interface DrawingWanted {
  id: number;
  source: string;
  isDark: boolean;
}

export type DrawingDone =
  | { id: number; svg: string; width: number; height: number }
  | { id: number; error: string };
