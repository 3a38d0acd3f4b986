/** The empty conversation: what the assistant is for, with example requests about the open diagram. */

import { Sparkles, Terminal } from 'lucide-react';
import { useMemo } from 'react';
import { hasOnlyHeadings } from '../../model/assistant/description';
import { examplesOf } from '../../model/assistant/examples';
import { providerSummary } from '../../model/assistant/provider';
import { ROOT_PATH } from '../../protocol/root';
import type { DraftWorkflow } from '../../sync/assistant/draft';
import { useEditorContext, useLive } from '../context/EditorContext';
import { useAssistantActions, useAssistantPart, useAssistantTools } from './useAssistant';

/** For a model, where there is nothing yet. */
const DESCRIPTIONS = [
  'An online shop with a web app, orders, payments and mails that are sent later',
  'A service that takes photos from phones, resizes them and keeps them',
  'Sensors that report every second, a stream, alarms and a dashboard',
];

export function EmptyConversation() {
  const { access } = useEditorContext();
  const { draftStore } = useAssistantTools();
  const { edit } = useAssistantActions();
  const diagram = useLive((live) => live.diagram);
  const isBlank = useLive((live) => live.diagram.nodes.length === 0 && hasOnlyHeadings(live.text));
  const assistant = useAssistantPart((facts) => facts.assistant);
  const isOn = useAssistantPart((facts) => facts.isOn);
  const examples = useMemo(() => examplesOf(diagram), [diagram]);
  const isModel = assistant !== null && providerSummary(assistant, isOn).kind === 'model';
  const Icon = isModel ? Sparkles : Terminal;
  const choose = (workflow: DraftWorkflow, text: string) => {
    draftStore.setWorkflow(workflow);
    edit(text);
  };
  return (
    <div className="conversation">
      <div className="conversation-empty">
        <span className="notice-icon" aria-hidden="true">
          <Icon size={22} strokeWidth={1.8} />
        </span>
        <h4>{titleOf(isModel, isBlank)}</h4>
        <p>{adviceOf(isModel, isBlank)}</p>
        {access.isWritable && (
          <Group
            title={isBlank ? 'For example' : 'Change'}
            texts={isModel && isBlank ? DESCRIPTIONS : examples.edit}
            onChoose={(text) => choose('edit', text)}
          />
        )}
        {examples.ask.length > 0 && (
          <Group title="Ask" texts={examples.ask} onChoose={(text) => choose('ask', text)} />
        )}
        {isModel && (
          <Group
            title="Find causes"
            texts={examples.investigate}
            onChoose={(text) => choose('investigate', text)}
          />
        )}
        {isBlank && (
          <p className="conversation-hint">
            Or <a href={`${ROOT_PATH}/`}>begin with a template</a>.
          </p>
        )}
      </div>
    </div>
  );
}

const titleOf = (isModel: boolean, isBlank: boolean): string => {
  if (isModel)
    return isBlank ? 'Describe your system' : 'Ask for a change, a question, or what causes a problem';
  return isBlank ? 'Add the first nodes' : 'Type a command';
};

const adviceOf = (isModel: boolean, isBlank: boolean): string => {
  if (isModel && isBlank)
    return 'A first diagram and document are drafted from it. You can take it back as one step.';
  if (isModel) return 'What it changes is one step in the history, and you can undo it as one.';
  return 'Fixed English sentences, the same answer every time. Completions show as you type.';
};

interface GroupProps {
  title: string;
  texts: readonly string[];
  onChoose: (text: string) => void;
}

function Group({ title, texts, onChoose }: GroupProps) {
  if (texts.length === 0) return null;
  return (
    <section className="example-group" aria-label={title}>
      <h5>{title}</h5>
      <ul>
        {texts.map((text) => (
          <li key={text}>
            <button type="button" className="command-chip" onClick={() => onChoose(text)}>
              {text}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
