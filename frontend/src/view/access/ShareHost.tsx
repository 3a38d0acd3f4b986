/** The Share dialog, and the button and the command that open it; read later, into a place that is kept in the bar. */
import { Share2 } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { createPortal } from 'react-dom';
import { useCommands, useEditorContext, useUiState } from '../context/EditorContext';
import { IconButton } from '../ui/IconButton';

const ShareDialog = lazy(async () => ({ default: (await import('./ShareDialog')).ShareDialog }));

export function ShareHost() {
  const isOpen = useUiState(({ dialog }) => dialog?.kind === 'share');
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
  return (
    <>
      {place &&
        createPortal(<IconButton icon={Share2} label="Share" aria-haspopup="dialog" onClick={open} />, place)}
      {isOpen && (
        <Suspense>
          <ShareDialog onClose={() => ui.set({ dialog: null })} />
        </Suspense>
      )}
    </>
  );
}
