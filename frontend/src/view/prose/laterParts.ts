/** What few documents need of what is shown: colours of code, and maths. Loaded when a document has some. */
import { loader } from '../ui/loading/later';

export const colours = loader(() => import('../code/codeBlocks'));
export const maths = loader(() => import('../maths/mathsBlocks'));
