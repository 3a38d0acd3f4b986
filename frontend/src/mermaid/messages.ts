/** Messages between the page and the frame that draws Mermaid diagrams. */

export interface DrawingWanted {
  id: number;
  source: string;
  isDark: boolean;
}

export type DrawingDone =
  | { id: number; svg: string; width: number; height: number }
  | { id: number; error: string };
