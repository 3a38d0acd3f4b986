/** Finds and runs any command, node or section. */
import '../styles/commands.css';
export function CommandPalette(_props: { onClose: () => void }) {
  return null;
}
