/** Everybody present, each once; a new list when somebody joins, leaves or moves. */
import { useMemo } from 'react';
import { type Person, peopleIn } from '../../model/words/people';
import { useLive } from '../context/EditorContext';

export function usePeople(): Person[] {
  const members = useLive((live) => live.members);
  const own = useLive((live) => live.member);
  return useMemo(() => peopleIn(members, own), [members, own]);
}
