/** The Share dialog, and how an agent is connected: with the commands that open them; read later. */
import { Bot, Share2 } from 'lucide-react';
import { ROOT_PATH } from '../../protocol/root';
import { useCommands, useEditorContext, useUiState } from '../context/EditorContext';
import { later } from '../ui/loading/later';

const ShareDialog = later(async () => (await import('./ShareDialog')).ShareDialog);
const ConnectAgentDialog = later(
  async () => (await import('../settings/ConnectAgentDialog')).ConnectAgentDialog,
);

export function ShareHost() {
  const dialogKind = useUiState(({ dialog }) => dialog?.kind);
  const { ui, id } = useEditorContext();
  useCommands([
    {
      id: 'go.share',
      title: 'Share…',
      group: 'Go',
      icon: Share2,
      words: 'link invite member role permission access owner people',
      run: () => ui.set({ dialog: { kind: 'share' } }),
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
  return (
    <>
      {dialogKind === 'share' && <ShareDialog onClose={close} />}
      {dialogKind === 'connect-agent' && <ConnectAgentDialog design={design} onClose={close} />}
    </>
  );
}
