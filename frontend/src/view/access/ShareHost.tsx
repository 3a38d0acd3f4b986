/** The button and the command that open the Share dialog; read later, into a place that is kept in the bar. */
import { Share2 } from 'lucide-react';
import { createPortal } from 'react-dom';
import { useCommands, useEditorContext } from '../context/EditorContext';
import { IconButton } from '../ui/IconButton';

export function ShareHost() {
  const { ui } = useEditorContext();
  const open = () => ui.set({ dialog: { kind: 'share' } });
  useCommands([
    {
      id: 'go.share',
      title: 'Share…',
      group: 'Go',
      icon: Share2,
      words: 'link invite member role permission access owner people',
      run: open,
    },
  ]);
  const place = document.getElementById('share-place');
  if (!place) return null;
  return createPortal(
    <IconButton icon={Share2} label="Share" aria-haspopup="dialog" onClick={open} />,
    place,
  );
}
