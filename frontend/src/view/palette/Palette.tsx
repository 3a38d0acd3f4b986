/** The node types that can be placed. */
import '../styles/palette.css';
export function Palette() {
  return null;
}
