/** Commands of the document, while it is shown. */
import { BookOpen, ExternalLink, FoldVertical, ListTree, Search, UnfoldVertical } from 'lucide-react';
import type { Command } from '../commands/commands';
import { useCommands, useEditorContext } from '../context/EditorContext';
import type { EditorHandle, Fold } from './editorHandle';
import { FORMATS } from './formats';

interface Props {
  editor: EditorHandle | null;
  /** Whether the editor is visible. */
  isWriting: boolean;
  mentions: number;
  onOutline: () => void;
  /** Null where editor and preview are both visible, or only one is available. */
  onSwitch: (() => void) | null;
  onStep: (by: 1 | -1) => void;
}

export const OUTLINE_KEYS = 'Mod+Shift+O';
export const SWITCH_KEYS = 'Mod+Shift+E';

export function DocumentCommands(props: Props) {
  const { ui } = useEditorContext();
  const { editor, isWriting } = props;
  const isReady = () => editor !== null && isWriting;
  // These keys apply with the focus in the text only: elsewhere they have other meanings.
  const isHere = () => isReady() && ui.get().focus === 'document';
  useCommands([
    ...FORMATS.flatMap(({ id, title, icon, keys, words }): Command[] =>
      // That of images is where they are (`../images/DocumentImages.tsx`), which is read later.
      id === 'image'
        ? []
        : [
            {
              id: `document.${id}`,
              title,
              group: 'Document',
              icon,
              words,
              ...(keys && { keys: [keys], reach: 'everywhere' }),
              isEnabled: keys ? isHere : isReady,
              run: () => (id === 'mention' ? editor?.mention() : editor?.format(id)),
            },
          ],
    ),
    ...placeCommands(props, isReady, isHere),
    {
      id: 'document.look',
      title: 'Switch between live preview and plain source',
      group: 'Document',
      words: 'markdown wysiwyg marks raw',
      isEnabled: isReady,
      run: () => ui.setLook(ui.get().look === 'live' ? 'source' : 'live'),
    },
    ...foldCommands(editor, isReady),
  ]);
  return null;
}

function placeCommands(
  { editor, mentions, onOutline, onSwitch, onStep }: Props,
  isReady: () => boolean,
  isHere: () => boolean,
): Command[] {
  return [
    {
      id: 'document.find',
      title: 'Find in the document',
      group: 'Document',
      icon: Search,
      words: 'search replace',
      keys: ['Mod+F'],
      reach: 'everywhere',
      isEnabled: isHere,
      run: () => editor?.find(),
    },
    {
      id: 'document.outline',
      title: 'Outline of the document',
      group: 'Document',
      icon: ListTree,
      words: 'headings sections contents',
      keys: [OUTLINE_KEYS],
      reach: 'everywhere',
      run: onOutline,
    },
    {
      id: 'document.half',
      title: 'Switch between Write and Read',
      group: 'Document',
      icon: BookOpen,
      words: 'preview edit',
      keys: [SWITCH_KEYS],
      reach: 'everywhere',
      isEnabled: () => onSwitch !== null,
      run: () => onSwitch?.(),
    },
    {
      id: 'document.open-link',
      title: 'Show the node of the link at the caret',
      group: 'Document',
      icon: ExternalLink,
      keys: ['Alt+Enter'],
      reach: 'everywhere',
      isEnabled: isHere,
      run: () => editor?.openLink(),
    },
    {
      id: 'document.next-mention',
      title: 'Next mention of what is selected',
      group: 'Document',
      isEnabled: () => mentions > 0,
      run: () => onStep(1),
    },
    {
      id: 'document.previous-mention',
      title: 'Previous mention of what is selected',
      group: 'Document',
      isEnabled: () => mentions > 0,
      run: () => onStep(-1),
    },
    {
      id: 'document.add-section',
      title: 'Add a section',
      group: 'Document',
      words: 'heading new',
      isEnabled: isReady,
      run: () => editor?.format('section'),
    },
  ];
}

function foldCommands(editor: EditorHandle | null, isEnabled: () => boolean): Command[] {
  const fold = (what: Fold) => () => editor?.fold(what);
  return [
    {
      id: 'document.fold',
      title: 'Fold the section at the caret',
      group: 'Document',
      // Handled by the editor; registered here to be shown.
      keys: ['Mod+Shift+['],
      isEnabled,
      run: fold('here'),
    },
    {
      id: 'document.unfold',
      title: 'Unfold the section at the caret',
      group: 'Document',
      keys: ['Mod+Shift+]'],
      isEnabled,
      run: fold('not-here'),
    },
    {
      id: 'document.fold-all',
      title: 'Fold all sections',
      group: 'Document',
      icon: FoldVertical,
      isEnabled,
      run: fold('all'),
    },
    {
      id: 'document.unfold-all',
      title: 'Unfold all sections',
      group: 'Document',
      icon: UnfoldVertical,
      isEnabled,
      run: fold('none'),
    },
  ];
}
