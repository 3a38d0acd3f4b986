/** The address of a node of the diagram: `#node/<id>`, in documents and in the address of a page. */

export const NODE_LINK = '#node/';

/** The node id in an address, or null. */
export function linkedNode(href: string): string | null {
  if (!href.startsWith(NODE_LINK)) return null;
  try {
    return decodeURIComponent(href.slice(NODE_LINK.length)) || null;
  } catch {
    return null;
  }
}
