/** The part that arranges a selection and finds places in groups, loaded when needed (`arranging.ts`). */
import { MISSING } from '../ui/failure/failure';
import { loader } from '../ui/loading/later';
import type { Toasts } from '../ui/overlay/Toasts';

export const arranging = loader(() => import('./arranging'));

/** Uses the part, and answers what that answers. Where it cannot be loaded a toast says so and what to do. */
export const arrange = <T>(
  toasts: Toasts,
  use: (part: typeof import('./arranging')) => T,
): Promise<T | undefined> =>
  arranging.load().then(use, () => {
    toasts.show({ text: MISSING.title, detail: MISSING.advice, tone: 'bad' });
    return undefined;
  });
