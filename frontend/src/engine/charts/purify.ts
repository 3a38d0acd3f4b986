/**
 * Stands in for DOMPurify and for what checks addresses, where Mermaid parses and draws nothing. Texts stay as they are: none of
 * them becomes part of a page here, and what becomes of one is plain text of a node or a line, with its tags removed or shown
 * as text.
 */
const purify = {
  sanitize: (text: string): string => text,
  addHook: (): void => {},
};

export default purify;

/** An address that a page may open; empty for any other. */
export const sanitizeUrl = (address = ''): string =>
  /^(?:https?:\/\/|mailto:)/i.test(address.trim()) ? address.trim() : '';
