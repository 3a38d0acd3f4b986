/** Who else is here. */
import '../styles/people.css';
export function People() {
  return null;
}
