import type { Turn } from '../../../src/model/assistant/card';

/** A turn of this person that has nothing but these parts. */
export const turn = (parts: Partial<Turn>): Turn => ({
  run: 'r',
  talk: null,
  record: null,
  progress: null,
  proposal: null,
  isMine: true,
  ...parts,
});
