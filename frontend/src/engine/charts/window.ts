/**
 * What Mermaid's parsers take for granted and a bare engine lacks. Imported before Mermaid.
 *
 * The parser of sequence diagrams asks the window whether a word is a colour: `box Aqua Title` has one, `box Title` has none.
 * Langium, which reads architecture diagrams, makes an encoder for messages to an editor, of which none is sent. No other parser
 * asks for anything of a page, so nothing else of one is here.
 */
import { color } from 'd3-color';

const COLOR_FUNCTION = /^(?:rgb|hsl)a?\s*\(/i;

const CSS = {
  supports: (property: string, value: string) =>
    property === 'color' && (color(value) !== null || COLOR_FUNCTION.test(value)),
};

const scope = globalThis as unknown as { window?: { CSS: typeof CSS }; TextEncoder?: unknown };
scope.window ??= { CSS };
scope.TextEncoder ??= class {};
