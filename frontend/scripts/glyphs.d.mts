export const FACES: Readonly<Record<string, string>>;
export const FONT_LICENCE: string;
export function glyphWidths(): string;
