/** The description field of an empty home page, where a model is connected: the assistant drafts a workspace. */
import { Sparkles } from 'lucide-react';
import { useState } from 'react';
import { MAX_DESCRIPTION } from '../../model/assistant/description';
import { errorSentences } from '../../sync/words/errors';
import { Field } from '../ui/field/Field';
import { useDescribing } from './useDescribing';

export function Describe() {
  const [description, setDescription] = useState('');
  const describing = useDescribing();
  const isReady = description.trim() !== '' && !describing.isPending;
  const send = () => isReady && describing.mutate({ description });
  return (
    <form
      className="describe"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <DescriptionField
        value={description}
        onChange={setDescription}
        onSend={send}
        error={describing.error ? errorSentences(describing.error) : undefined}
      />
      <button type="submit" className="button primary" disabled={!isReady}>
        <Sparkles size={16} strokeWidth={1.9} aria-hidden="true" />
        {describing.isPending ? 'Beginning…' : 'Draft it'}
      </button>
    </form>
  );
}

interface FieldProps {
  value: string;
  onChange: (value: string) => void;
  onSend: () => void;
  error?: string | undefined;
}

export function DescriptionField({ value, onChange, onSend, error }: FieldProps) {
  return (
    <Field
      label="Describe your system"
      hint="The assistant drafts diagram and document from it; you change whatever you like."
      error={error}
    >
      {(wiring) => (
        <textarea
          {...wiring}
          rows={3}
          maxLength={MAX_DESCRIPTION}
          value={value}
          placeholder="An online shop: web and mobile app, carts in Redis, orders in PostgreSQL, payments through Stripe, mail sent by a worker."
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            onSend();
          }}
        />
      )}
    </Field>
  );
}
