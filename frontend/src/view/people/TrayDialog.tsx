/** Changes that did not fit. */
export function TrayDialog(_props: { onClose: () => void }) {
  return null;
}
