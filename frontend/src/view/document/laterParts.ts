/** What of the document needs the Markdown renderer, and is loaded later than the editor. */
import { laterPart } from '../ui/laterPart';

export const readHalf = laterPart(async () => (await import('./ReadHalf')).ReadHalf);
export const outlineHeadings = laterPart(async () => (await import('./OutlineHeadings')).OutlineHeadings);
