/**
 * The Share dialog, and how an agent is connected: with the button and the commands that open them; read later, into a
 * place that is kept in the bar.
 */
import { Bot, Share2 } from 'lucide-react';
import { createPortal } from 'react-dom';
import { ROOT_PATH } from '../../protocol/root';
import { useCommands, useEditorContext, useUiState } from '../context/EditorContext';
import { IconButton } from '../ui/IconButton';
import { later } from '../ui/loading/later';

const ShareDialog = later(async () => (await import('./ShareDialog')).ShareDialog);
const ConnectAgentDialog = later(
  async () => (await import('../settings/ConnectAgentDialog')).ConnectAgentDialog,
);

export function ShareHost() {
  const dialogKind = useUiState(({ dialog }) => dialog?.kind);
  const { ui, id } = useEditorContext();
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
    {
      id: 'go.connect-agent',
      title: 'Connect your agent…',
      group: 'Go',
      icon: Bot,
      words: 'mcp claude cursor codex vscode copilot zed opencode key program',
      run: () => ui.set({ dialog: { kind: 'connect-agent' } }),
    },
  ]);
  const close = () => ui.set({ dialog: null });
  const design = `${window.location.origin}${ROOT_PATH}/w/${id}`;
  const place = document.getElementById('share-place');
  return (
    <>
      {place &&
        createPortal(<IconButton icon={Share2} label="Share" aria-haspopup="dialog" onClick={open} />, place)}
      {dialogKind === 'share' && <ShareDialog onClose={close} />}
      {dialogKind === 'connect-agent' && <ConnectAgentDialog design={design} onClose={close} />}
    </>
  );
}
