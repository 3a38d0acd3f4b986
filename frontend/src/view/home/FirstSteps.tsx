/** The empty home page: what a workspace is, and the templates. */
import { useLocation } from 'wouter';
import { explainError } from '../../sync/words/errors';
import { Describe } from './Describe';
import { useCreateHere } from './folders';
import { useTemplates } from './lists';
import { defaultName } from './NewWorkspaceDialog';
import { TemplatePicture } from './TemplatePicture';
import { useCanDescribe } from './useDescribing';

export function FirstSteps({ onImport }: { onImport: () => void }) {
  const templates = useTemplates(true);
  const create = useCreateHere();
  const canDescribe = useCanDescribe();
  const [, navigate] = useLocation();
  const failure = create.error ?? templates.error;
  return (
    <section className="first-steps" aria-labelledby="first-steps">
      <h2 id="first-steps">No workspaces yet</h2>
      <p>
        A workspace holds an architecture diagram and the design document that explains it.{' '}
        {canDescribe ? 'Say what yours is, start from one of these' : 'Start from one of these'}, or{' '}
        <button type="button" className="text-button" onClick={onImport}>
          import a file
        </button>
        .
      </p>
      {canDescribe && <Describe />}
      {failure && (
        <p className="banner" role="alert">
          {explainError(failure).title}. {explainError(failure).advice}
        </p>
      )}
      <ul className="templates" aria-busy={templates.isPending}>
        {templates.isPending &&
          [1, 2, 3, 4].map((key) => <li key={key} className="template skeleton" aria-hidden="true" />)}
        {(templates.data ?? []).map((template) => (
          <li key={template.id}>
            <button
              type="button"
              className="template"
              disabled={create.isPending}
              onClick={() =>
                create.mutate(
                  { name: defaultName(template), template: template.id },
                  { onSuccess: (made) => navigate(`/w/${made.id}`) },
                )
              }
            >
              <TemplatePicture id={template.id} />
              <span className="template-name">{template.name}</span>
              <span className="template-text">{template.description}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
