export const LAYERS: Readonly<Record<string, readonly string[]>>;
export function importsOf(root: string): { file: string; module: string }[];
export function violations(root?: string, layers?: Readonly<Record<string, readonly string[]>>): string[];
