export const MOST_BYTES: number;
export interface MadeIcon {
  id: string;
  names: string[];
  file: string;
  svg: string;
}
export function technologyIcons(): MadeIcon[];
export function problemOf(svg: string): string | null;
