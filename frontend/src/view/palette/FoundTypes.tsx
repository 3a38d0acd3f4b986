/** What the palette shows of custom types, and the types that match a query, with the synonym where the name does not say why; read later. */
import '../styles/custom-types.css';
import { Plus, SearchX, Shapes } from 'lucide-react';
import { definitionOf } from '../../model/core/customTypes';
import { searchCustomTypes } from '../../model/words/searchCustomTypes';
import { searchTypes, wordFound } from '../../model/words/typeSynonyms';
import type { CustomTypes, NodeType } from '../../protocol/types';
import { useEditorContext, useLive } from '../context/EditorContext';
import { TechnologyTile } from '../images/TechnologyTile';
import type { Face } from './TypeButton';
import { type ListProps, TypeList } from './TypeList';

const OWN = 'Of this workspace';

interface Props {
  query: string;
  /** The type that fits what is selected. */
  fitting: NodeType | null;
}

export function FoundTypes({ query, fitting }: Props) {
  const own = useLive(({ diagram }) => diagram.types);
  const builtIn = searchTypes(query, fitting);
  const types = [...searchCustomTypes(own, query).map(({ id }) => id), ...builtIn];
  return (
    <TypeList
      sections={[{ name: 'Found', types }]}
      hasNames
      hasHeads={false}
      faceOf={(type) => faceOf(type, own)}
      besides={(type) => {
        const known = builtIn.find((one) => one === type);
        return known ? wordFound(known, query) : null;
      }}
    >
      <p className="palette-found" role="status">
        {types.length === 0 && (
          <>
            <SearchX size={16} strokeWidth={1.9} aria-hidden="true" />
            No type matches “{query}”. Place “Other” and give it any name.
          </>
        )}
      </p>
      {types.length === 0 && <TypeActions name={query.trim()} />}
    </TypeList>
  );
}

/** A list with the custom types before the others; where it has names, also what defines them. */
export const withOwnTypes = (list: ListProps, types: CustomTypes | undefined): ListProps => ({
  ...list,
  sections: [
    ...(types ? [{ name: OWN, types: searchCustomTypes(types).map(({ id }) => id) }] : []),
    ...list.sections,
  ],
  faceOf: (type) => faceOf(type, types),
  children: list.hasNames && <TypeActions />,
});

function faceOf(type: string, types: CustomTypes | undefined): Face | undefined {
  const custom = definitionOf(types, type);
  if (!custom) return undefined;
  const tile = <TechnologyTile type={custom.base} custom={custom} color="" technology="" />;
  return { name: custom.name, tile };
}

/** The buttons that define a type, with a name to begin with, and that show those of the workspace. */
function TypeActions({ name = '' }: { name?: string }) {
  const { ui } = useEditorContext();
  const hasTypes = useLive(({ diagram }) => diagram.types !== undefined);
  return (
    <div className="palette-group type-actions">
      <button
        type="button"
        className="palette-foot"
        aria-haspopup="dialog"
        onClick={() => ui.set({ dialog: { kind: 'types', isNew: true, name } })}
      >
        <Plus size={16} strokeWidth={1.9} aria-hidden="true" />
        New type…
      </button>
      {hasTypes && (
        <button
          type="button"
          className="palette-foot"
          aria-haspopup="dialog"
          onClick={() => ui.set({ dialog: { kind: 'types' } })}
        >
          <Shapes size={16} strokeWidth={1.9} aria-hidden="true" />
          Edit types…
        </button>
      )}
    </div>
  );
}
