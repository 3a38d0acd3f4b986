/** The field in which a node or a connection is named on the canvas. */
export function InlineName(_props: { kind: 'node' | 'edge'; id: string; name: string }) {
  return null;
}
