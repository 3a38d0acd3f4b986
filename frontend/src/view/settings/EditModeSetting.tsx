/** How models edit in the workspace that is open: by operations, anew as a whole, or as the server is set. */
import type { EditMode } from '../../protocol/types';
import { Choices } from './Choices';

type Choice = EditMode | 'server';

const CHOICES = [
  { value: 'server', text: 'As the server is set' },
  { value: 'tools', text: 'By operations' },
  { value: 'regenerate', text: 'Anew as a whole' },
] as const;

const MEANINGS: Readonly<Record<EditMode, string>> = {
  tools: 'The model changes what was asked for, step by step; everything else stays as it is.',
  regenerate:
    'The model writes the whole diagram or document each time: slower and more tokens, for models that cannot use operations.',
};

interface Props {
  /** Null: as the server is set. */
  mode: EditMode | null;
  /** How the server is set. */
  server: EditMode;
  onChoose: (mode: EditMode | null) => void;
}

export function EditModeSetting({ mode, server, onChoose }: Props) {
  const meaning = MEANINGS[mode ?? server];
  return (
    <Choices<Choice>
      label="How models edit here"
      hint={mode === null ? `${meaning} The server is set so.` : meaning}
      value={mode ?? 'server'}
      choices={CHOICES}
      onChoose={(chosen) => onChoose(chosen === 'server' ? null : chosen)}
    />
  );
}
