/** Asks what is to become of what stands in a group. */
export function DeleteDialog(_props: { ids: readonly string[]; onClose: () => void }) {
  return null;
}
