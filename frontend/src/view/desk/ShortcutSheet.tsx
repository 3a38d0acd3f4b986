/** All commands that have keys. */
export function ShortcutSheet(_props: { onClose: () => void }) {
  return null;
}
