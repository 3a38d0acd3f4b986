/** The actions for a workspace in the list. */
import {
  AlignLeft,
  ArchiveRestore,
  Copy,
  Download,
  EllipsisVertical,
  FileText,
  FolderInput,
  PencilLine,
  Trash2,
  Workflow,
} from 'lucide-react';
import { useLocation } from 'wouter';
import { fileNameOf } from '../../model/text/importFormats';
import { mayChange, mayTrash } from '../../model/words/roles';
import { type ExportFormat, exportAddress } from '../../protocol/api';
import type { WorkspaceItem } from '../../protocol/types';
import { FORMAT_FACTS } from '../export/choices';
import { useCreateWorkspace } from '../queries';
import { IconButton } from '../ui/IconButton';
import { Menu, MenuItem, MenuLabel, MenuLink, MenuSeparator } from '../ui/overlay/Menu';
import { useToasts } from '../ui/overlay/Toasts';
import { mayFill, useFolders, useIsGuest } from './folders';
import { useTrash } from './useTrash';

interface Props {
  item: WorkspaceItem;
  onRename: () => void;
  onMove: () => void;
  onTrash: () => void;
}

/** What of a workspace is exported in each format. */
const EXPORTS: Record<ExportFormat, { title: string; icon: typeof FileText }> = {
  json: { title: 'Everything as JSON', icon: Download },
  zip: { title: 'Everything as ZIP archive', icon: Download },
  markdown: { title: 'Document as Markdown', icon: FileText },
  mermaid: { title: 'Diagram as Mermaid', icon: Workflow },
  drawio: { title: 'Diagram as draw.io', icon: Workflow },
  dot: { title: 'Diagram as DOT', icon: Workflow },
  structurizr: { title: 'Diagram as Structurizr', icon: Workflow },
  text: { title: 'Diagram as text', icon: AlignLeft },
};

export function RowMenu({ item, onRename, onMove, onTrash }: Props) {
  const duplicate = useDuplicate(item);
  const isGuest = useIsGuest();
  return (
    <Menu button={<IconButton icon={EllipsisVertical} label={`More for ${item.name}`} />}>
      {mayChange(item.role) && (
        <MenuItem icon={PencilLine} keys="F2" onChoose={onRename}>
          Rename
        </MenuItem>
      )}
      {!isGuest && (
        <MenuItem icon={Copy} onChoose={duplicate}>
          Duplicate
        </MenuItem>
      )}
      {mayTrash(item.role) && (
        <MenuItem icon={FolderInput} keys="M" onChoose={onMove}>
          Move to…
        </MenuItem>
      )}
      {!isGuest && <MenuSeparator />}
      <MenuLabel>Export</MenuLabel>
      {(Object.keys(EXPORTS) as ExportFormat[]).map((format) => (
        <MenuLink
          key={format}
          icon={EXPORTS[format].icon}
          href={exportAddress(item.id, format)}
          download={fileNameOf(item.name, FORMAT_FACTS[format].ending)}
        >
          {EXPORTS[format].title}
        </MenuLink>
      ))}
      {mayTrash(item.role) && (
        <>
          <MenuSeparator />
          <MenuItem icon={Trash2} keys="Del" tone="bad" onChoose={onTrash}>
            Move to trash
          </MenuItem>
        </>
      )}
    </Menu>
  );
}

function useDuplicate(item: WorkspaceItem) {
  const create = useCreateWorkspace();
  const toasts = useToasts();
  const [, navigate] = useLocation();
  const folder = useFolders().data?.find(({ id }) => id === item.folder);
  const isFilled = folder !== undefined && mayFill(folder.role);
  return () =>
    create.mutate(
      { copy_of: item.id, ...(isFilled && { folder: item.folder }) },
      {
        onSuccess: (made) =>
          toasts.show({
            text: `“${made.name}” was made`,
            action: { label: 'Open', run: () => navigate(`/w/${made.id}`) },
          }),
        onError: toasts.showError,
      },
    );
}

export function PutBackButton({ item }: { item: WorkspaceItem }) {
  const { putBack, isBusy } = useTrash(item);
  return (
    <button
      type="button"
      className="button small"
      aria-label={`Put back ${item.name}`}
      onClick={() => void putBack()}
      disabled={isBusy}
    >
      <ArchiveRestore size={16} strokeWidth={1.9} aria-hidden="true" />
      Put back
    </button>
  );
}
