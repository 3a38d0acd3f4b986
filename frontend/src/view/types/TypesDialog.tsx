/**
 * The custom types of a workspace: all of them with how many nodes are of each, to be defined, edited and deleted. Each change is one
 * batch like any other, undone as one step. Not here: the fields of one (`TypeForm.tsx`).
 */
import '../styles/custom-types.css';
import { Pencil, Plus, Shapes, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { definitionOf } from '../../model/core/customTypes';
import { MOST_TYPES, usesOf } from '../../model/gestures/typeDefinitions';
import { counted, TYPE_NAMES } from '../../model/words/kinds';
import { searchCustomTypes } from '../../model/words/searchCustomTypes';
import type { CustomType } from '../../protocol/types';
import { useEditorContext, useLive } from '../context/EditorContext';
import { TechnologyTile } from '../images/TechnologyTile';
import { IconButton } from '../ui/IconButton';
import { Dialog } from '../ui/overlay/Dialog';
import { TypeForm } from './TypeForm';

interface Props {
  /** Begins with a new type, perhaps with a name, which these nodes get. */
  isNew?: boolean;
  name?: string;
  nodes?: readonly string[];
  onClose: () => void;
}

/** What the dialog shows: all types, perhaps with one to be deleted, or the fields of one. */
type Shown = { form: null; doomed: string | null } | { form: 'new' } | { form: 'edit'; id: string };

const ALL: Shown = { form: null, doomed: null };

export function TypesDialog({ isNew = false, name = '', nodes = [], onClose }: Props) {
  const types = useLive(({ diagram }) => diagram.types);
  const [shown, setShown] = useState<Shown>(isNew ? { form: 'new' } : ALL);
  const [said, setSaid] = useState('');
  const back = (words: string) => {
    setSaid(words);
    setShown(ALL);
  };
  const edited = shown.form === 'edit' ? definitionOf(types, shown.id) : undefined;
  if (shown.form === 'new')
    return (
      <Dialog key="new" title="New type" onClose={onClose} size="small">
        <TypeForm
          name={name}
          nodes={nodes}
          onSaved={isNew ? onClose : back}
          onCancel={isNew ? onClose : () => back('')}
        />
      </Dialog>
    );
  if (shown.form === 'edit' && edited)
    return (
      <Dialog key={shown.id} title={`Edit “${edited.name}”`} onClose={onClose} size="small">
        <TypeForm id={shown.id} definition={edited} onSaved={back} onCancel={() => back('')} />
      </Dialog>
    );
  return (
    <Dialog key="all" title="Types of this workspace" onClose={onClose}>
      <TypeRows
        doomed={shown.form === null ? shown.doomed : null}
        said={shown.form === 'edit' ? 'Somebody has deleted the type meanwhile.' : said}
        onShow={(next) => {
          setSaid('');
          setShown(next);
        }}
        onDeleted={setSaid}
        onClose={onClose}
      />
    </Dialog>
  );
}

interface RowsProps {
  doomed: string | null;
  said: string;
  onShow: (shown: Shown) => void;
  onDeleted: (words: string) => void;
  onClose: () => void;
}

function TypeRows({ doomed, said, onShow, onDeleted, onClose }: RowsProps) {
  const { edit } = useEditorContext();
  const diagram = useLive((live) => live.diagram);
  const fresh = useRef<HTMLButtonElement>(null);
  const all = searchCustomTypes(diagram.types);
  const uses = usesOf(diagram);
  // The buttons of the row are gone then.
  const leaveRow = () => {
    onShow(ALL);
    fresh.current?.focus();
  };
  const remove = async (id: string, name: string) => {
    leaveRow();
    const outcome = await edit([{ op: 'delete_type', id }]);
    if (outcome?.kind === 'committed') onDeleted(`“${name}” was deleted.`);
  };
  return (
    <div className="dialog-form">
      {all.length === 0 ? (
        <div className="types-empty">
          <Shapes size={28} strokeWidth={1.5} aria-hidden="true" />
          <p>
            This workspace has no types of its own yet. One has a name, an icon and a colour, and is a
            built-in type otherwise.
          </p>
        </div>
      ) : (
        <ul className="types-list" aria-label="Types">
          {all.map(({ id, custom }) =>
            id === doomed ? (
              <DoomedRow
                key={id}
                custom={custom}
                count={uses.get(id) ?? 0}
                onKeep={leaveRow}
                onDelete={() => void remove(id, custom.name)}
              />
            ) : (
              <TypeRow key={id} id={id} custom={custom} count={uses.get(id) ?? 0} onShow={onShow} />
            ),
          )}
        </ul>
      )}
      <p className="types-said" role="status">
        {said}
      </p>
      <footer className="dialog-foot">
        <button
          ref={fresh}
          type="button"
          className="button"
          data-autofocus
          disabled={all.length >= MOST_TYPES}
          title={all.length >= MOST_TYPES ? `There are ${MOST_TYPES} at most.` : undefined}
          onClick={() => onShow({ form: 'new' })}
        >
          <Plus size={16} strokeWidth={1.9} aria-hidden="true" />
          New type
        </button>
        <button type="button" className="button primary" onClick={onClose}>
          Done
        </button>
      </footer>
    </div>
  );
}

interface RowProps {
  custom: CustomType;
  /** How many nodes are of it. */
  count: number;
}

function TypeRow({ id, custom, count, onShow }: RowProps & { id: string; onShow: RowsProps['onShow'] }) {
  return (
    <li>
      <TechnologyTile type={custom.base} custom={custom} color="" technology="" />
      <span className="types-name">
        {custom.name}
        <span className="types-note">
          {TYPE_NAMES[custom.base] ?? custom.base} · {count === 0 ? 'no nodes' : counted(count, 'node')}
        </span>
      </span>
      <IconButton icon={Pencil} label={`Edit ${custom.name}`} onClick={() => onShow({ form: 'edit', id })} />
      <IconButton
        icon={Trash2}
        label={`Delete ${custom.name}`}
        onClick={() => onShow({ form: null, doomed: id })}
      />
    </li>
  );
}

/** Asks before a type is deleted, with what becomes of its nodes. */
function DoomedRow({
  custom,
  count,
  onKeep,
  onDelete,
}: RowProps & { onKeep: () => void; onDelete: () => void }) {
  const base = TYPE_NAMES[custom.base] ?? custom.base;
  const button = useRef<HTMLButtonElement>(null);
  // What was pressed to get here is gone.
  useEffect(() => button.current?.focus(), []);
  return (
    <li className="doomed">
      <p role="alert">
        Delete “{custom.name}”?{' '}
        {count === 0
          ? 'No node is of it.'
          : count === 1
            ? `1 node is of it, and becomes “${base}”.`
            : `${counted(count, 'node')} are of it, and become “${base}”.`}{' '}
        It can be undone as one step.
      </p>
      <button type="button" className="button small" onClick={onKeep}>
        Keep
      </button>
      <button type="button" className="button small danger" ref={button} onClick={onDelete}>
        Delete
      </button>
    </li>
  );
}
