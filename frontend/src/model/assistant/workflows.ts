/** What can be asked of the assistant. Pure. */
import type { Run } from '../../protocol/types';

/** Whether it looks and changes nothing; several of these may run, also beside a change. */
export const onlyReads = (workflow: Run['workflow'] | undefined): boolean =>
  workflow === 'ask' || workflow === 'investigate';

/** Whether its run applies nothing, whatever it prepares: it only looks, or recommends. */
export const appliesNothing = (workflow: Run['workflow'] | undefined): boolean =>
  onlyReads(workflow) || workflow === 'recommend';
