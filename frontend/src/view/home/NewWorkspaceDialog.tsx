/** Make a workspace: what to start from, and a name. */
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Template } from '../../protocol/types';
import { explain } from '../../sync/condition';
import { useCreateWorkspace, useTemplates } from '../queries';
import { Dialog } from '../ui/Dialog';
import { NAME_MAX } from '../ui/EditableName';
import { TemplatePicture } from './TemplatePicture';

export function NewWorkspaceDialog({ onClose }: { onClose: () => void }) {
  const templates = useTemplates(true);
  const create = useCreateWorkspace();
  const [, navigate] = useLocation();
  const [chosen, setChosen] = useState<string | null>(null);
  const [name, setName] = useState('');
  const choices = templates.data ?? [];
  const template = choices.find(({ id }) => id === chosen) ?? choices[0];
  const finalName = name.trim() || defaultName(template);
  const failure = create.error ?? templates.error;
  return (
    <Dialog title="New workspace" onClose={onClose} size="wide">
      <form
        className="dialog-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!template) return;
          create.mutate(
            { name: finalName, template: template.id },
            { onSuccess: (made) => navigate(`/w/${made.id}`) },
          );
        }}
      >
        <label className="field">
          <span>Name</span>
          <input
            value={name}
            maxLength={NAME_MAX}
            placeholder={defaultName(template)}
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
        {failure && (
          <p className="banner" role="alert">
            {explain(failure).title}. {explain(failure).advice}
          </p>
        )}
        <footer className="dialog-foot">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={!template || create.isPending}>
            {create.isPending ? 'Creating…' : 'Create workspace'}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

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
