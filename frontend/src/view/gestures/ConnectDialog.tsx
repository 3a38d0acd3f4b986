/** Connects a node to one chosen by name. */
import '../styles/gestures.css';
export function ConnectDialog(_props: { from: string; onClose: () => void }) {
  return null;
}
