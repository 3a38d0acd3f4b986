/** Sends what was added, once it has its names. */
import type { Made } from '../../model/gestures/place';
import type { Operation } from '../../protocol/live';
import type { EditorContext } from '../context/EditorContext';
import { loader } from '../ui/loading/later';

/** Gives nodes the types that their names say. Read when the first is added whose type nobody chose. */
export const typesByName = loader(async () => (await import('../../model/words/typeOfName')).typedByName);

/**
 * Sends the operations of something that was made, with the type that its name says where nobody chose one.
 *
 * @param isGone the page is being left: nothing can be waited for
 */
export function sendMade(
  { edit, ui }: EditorContext,
  making: Made,
  operations: readonly Operation[],
  isGone: boolean,
): void {
  const send = (typed: typeof typesByName.known) => {
    void edit(typed ? typed(operations) : [...operations]);
    if (ui.get().making === making) ui.set({ making: null });
  };
  if (!making.isTypeGuessed) send(null);
  else if (typesByName.known || isGone) send(typesByName.known);
  else typesByName.load().then(send, () => send(null));
}
