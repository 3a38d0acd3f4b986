/** Creates a workspace: from a template or a description, with a name. */
import { useState } from 'react';
import { useLocation } from 'wouter';
import { nameFrom } from '../../model/assistant/description';
import type { Template } from '../../protocol/types';
import { errorSentences } from '../../sync/words/errors';
import { NAME_MAX } from '../ui/field/EditableName';
import { Dialog } from '../ui/overlay/Dialog';
import { DescriptionField } from './Describe';
import { useCreateHere } from './folders';
import { useTemplates } from './lists';
import { TemplatePicture } from './TemplatePicture';
import { useCanDescribe, useDescribing } from './useDescribing';

export function NewWorkspaceDialog({ onClose }: { onClose: () => void }) {
  const templates = useTemplates(true);
  const create = useCreateHere();
  const [, navigate] = useLocation();
  const [chosen, setChosen] = useState<string | null>(null);
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const canDescribe = useCanDescribe();
  const describing = useDescribing();
  const isDescribing = canDescribe && chosen === DESCRIBED.id;
  const templatesThere = templates.data ?? [];
  const choices = canDescribe ? [DESCRIBED, ...templatesThere] : templatesThere;
  const template = isDescribing
    ? DESCRIBED
    : (templatesThere.find(({ id }) => id === chosen) ?? templatesThere[0]);
  const placeholder = isDescribing ? nameFrom(description) : defaultName(template);
  const failure = create.error ?? describing.error ?? templates.error;
  const isBusy = create.isPending || describing.isPending;
  const isReady = template !== undefined && !isBusy && (!isDescribing || description.trim() !== '');
  const send = () => {
    if (!isReady || !template) return;
    if (isDescribing) return describing.mutate({ description, name: name.trim() });
    create.mutate(
      { name: name.trim() || defaultName(template), template: template.id },
      { onSuccess: (made) => navigate(`/w/${made.id}`) },
    );
  };
  return (
    <Dialog title="New workspace" onClose={onClose} size="wide">
      <form
        className="dialog-form"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <label className="field">
          <span>Name</span>
          <input
            value={name}
            maxLength={NAME_MAX}
            placeholder={placeholder}
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        <fieldset className="templates">
          <legend>Start from</legend>
          {templates.isPending
            ? [1, 2, 3, 4].map((key) => <span key={key} className="template skeleton" aria-hidden="true" />)
            : choices.map((choice) => (
                <TemplateChoice
                  key={choice.id}
                  template={choice}
                  isChosen={choice === template}
                  onChoose={() => setChosen(choice.id)}
                />
              ))}
        </fieldset>
        {isDescribing && <DescriptionField value={description} onChange={setDescription} onSend={send} />}
        {failure && (
          <p className="banner" role="alert">
            {errorSentences(failure)}
          </p>
        )}
        <footer className="dialog-foot">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={!isReady}>
            {isBusy ? 'Creating…' : isDescribing ? 'Create and draft it' : 'Create workspace'}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

/** A card among the templates. */
const DESCRIBED: Template = {
  id: 'description',
  name: 'Describe it',
  description: 'The assistant drafts diagram and document.',
  nodes: 0,
  edges: 0,
};

export const defaultName = (template: Template | undefined): string =>
  !template || template.id === 'blank' ? 'Untitled workspace' : template.name;

interface ChoiceProps {
  template: Template;
  isChosen: boolean;
  onChoose: () => void;
}

function TemplateChoice({ template, isChosen, onChoose }: ChoiceProps) {
  return (
    <label className="template">
      <input type="radio" name="template" value={template.id} checked={isChosen} onChange={onChoose} />
      <TemplatePicture id={template.id} />
      <span className="template-name">{template.name}</span>
      <span className="template-text">{template.description}</span>
    </label>
  );
}
