/** The draft of somebody who may propose and not change, and the dialogs that send what is proposed; read later. */
import { MessageSquareDiff } from 'lucide-react';
import { useCommands, useEditorContext, useLive, useUiState } from '../context/EditorContext';
import { useCanPropose } from '../context/useCanChange';
import { later } from '../ui/loading/later';
import { DraftBar } from './DraftBar';

const ProposeDialog = later(async () => (await import('./ProposeDialog')).ProposeDialog);
const SectionDialog = later(async () => (await import('./SectionDialog')).SectionDialog);

export function SuggestHost() {
  const { ui } = useEditorContext();
  const dialog = useUiState((state) => state.dialog);
  const hasDraft = useLive((live) => live.drafts.length > 0);
  const canPropose = useCanPropose();
  const close = () => ui.set({ dialog: null });
  useCommands([
    {
      id: 'document.suggest',
      title: 'Suggest another text for a section…',
      group: 'Document',
      icon: MessageSquareDiff,
      words: 'propose comment review change wording',
      isEnabled: () => canPropose,
      run: () => ui.set({ dialog: { kind: 'suggest-section', at: 0 } }),
    },
  ]);
  return (
    <>
      {hasDraft && <DraftBar />}
      {dialog?.kind === 'propose' && <ProposeDialog onClose={close} />}
      {dialog?.kind === 'suggest-section' && <SectionDialog at={dialog.at} onClose={close} />}
    </>
  );
}
