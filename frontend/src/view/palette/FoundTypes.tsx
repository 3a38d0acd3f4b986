/** The node types that match a query, with the synonym where the name does not say why; read later. */
import { SearchX } from 'lucide-react';
import { searchTypes, wordFound } from '../../model/words/typeSynonyms';
import type { NodeType } from '../../protocol/types';
import { TypeList } from './TypeList';

interface Props {
  query: string;
  /** The type that fits what is selected. */
  fitting: NodeType | null;
}

export function FoundTypes({ query, fitting }: Props) {
  const types = searchTypes(query, fitting);
  return (
    <TypeList
      sections={[{ name: 'Found', types }]}
      hasNames
      hasHeads={false}
      besides={(type) => wordFound(type, query)}
    >
      <p className="palette-found" role="status">
        {types.length === 0 && (
          <>
            <SearchX size={16} strokeWidth={1.9} aria-hidden="true" />
            No type matches “{query}”. Place “Other” and give it any name.
          </>
        )}
      </p>
    </TypeList>
  );
}
