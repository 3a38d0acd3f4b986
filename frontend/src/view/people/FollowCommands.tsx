/** Commands to follow and find others by name; draws nothing. */
import { Footprints, LocateFixed, X } from 'lucide-react';
import type { Person } from '../../model/words/people';
import { useCommands, useEditorContext } from '../context/EditorContext';
import { goTo } from './goTo';

export function FollowCommands({ others }: { others: readonly Person[] }): null {
  const context = useEditorContext();
  const { ui } = context;
  useCommands([
    ...others
      .filter(({ isAgent }) => !isAgent)
      .flatMap((person) => [
        {
          id: `people.follow.${person.id}`,
          title: `Follow ${person.name}`,
          group: 'Go' as const,
          icon: Footprints,
          words: 'person people view',
          run: () => ui.set({ following: person.member }),
        },
        {
          id: `people.find.${person.id}`,
          title: `Go to where ${person.name} is`,
          group: 'Go' as const,
          icon: LocateFixed,
          words: 'person people',
          run: () => goTo(context, person),
        },
      ]),
    {
      id: 'people.stop',
      title: 'Stop following',
      group: 'Go',
      icon: X,
      isEnabled: () => ui.get().following !== null,
      run: () => ui.set({ following: null }),
    },
  ]);
  return null;
}
