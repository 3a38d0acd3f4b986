/** The type of a node, or of several: custom types before built-in ones, and what defines them behind. */
import { searchCustomTypes } from '../../model/words/searchCustomTypes';
import { useEditorContext, useLive } from '../context/EditorContext';
import { ChoiceField } from './ChoiceField';
import { TYPE_CHOICES } from './choices';

interface Props {
  nodes: readonly string[];
  /** As operations name it; null where the nodes differ. */
  value: string | null;
  isDisabled: boolean;
  hasContents: boolean;
  onChoose: (type: string) => void;
}

/** No id of a type has a blank. */
const NEW = 'new type';
const EDIT = 'edit types';

export function TypeField({ nodes, value, isDisabled, hasContents, onChoose }: Props) {
  const { ui } = useEditorContext();
  const types = useLive(({ diagram }) => diagram.types);
  const own = searchCustomTypes(types).map(({ id, custom }) => ({ value: id, text: custom.name }));
  const actions = [
    { value: NEW, text: 'New type…' },
    ...(types ? [{ value: EDIT, text: 'Edit types…' }] : []),
  ];
  const choose = (type: string) => {
    if (type === NEW) ui.set({ dialog: { kind: 'types', isNew: true, nodes } });
    else if (type === EDIT) ui.set({ dialog: { kind: 'types' } });
    else onChoose(type);
  };
  return (
    <ChoiceField
      label="Type"
      value={value}
      choices={[...own, ...TYPE_CHOICES, ...actions]}
      isDisabled={isDisabled || hasContents}
      hint={hasContents && !isDisabled ? 'A group with contents stays a group; ungroup it first.' : undefined}
      onChoose={choose}
    />
  );
}
