/** Whether work is saved, in the words of the page: a short form for the bar, and the details. Pure. */
import { counted } from '../../model/words/kinds';
import type { Status } from '../session/liveStatus';

export interface StatusWords {
  /** For the bar. */
  short: string;
  /** The details. */
  detail: string;
  /** What to do; empty where there is nothing to be done. */
  advice: string;
}

interface Facts {
  status: Status;
  revision: number;
  /** Whether the server has sent the state. */
  isKnown: boolean;
}

export function statusWords({ status, revision, isKnown }: Facts): StatusWords {
  const words = wordsFor(status, revision, isKnown);
  return status.risk ? { ...words, advice: [words.advice, status.risk].filter(Boolean).join(' ') } : words;
}

function wordsFor(status: Status, revision: number, isKnown: boolean): StatusWords {
  const { saving, connection, pending } = status;
  if (connection === 'closed') return closed(status);
  if (saving === 'not_saving') return notSaving(status);
  if (saving === 'offline') return offline(status, isKnown);
  if (!isKnown || connection === 'connecting')
    return { short: 'Opening…', detail: 'The workspace is being read from the server.', advice: '' };
  if (saving === 'saving') {
    const detail = `${changes(pending)} ${pending === 1 ? 'is' : 'are'} on the way to the server.`;
    return { short: 'Saving…', detail, advice: '' };
  }
  return {
    short: `Saved · revision ${revision}`,
    detail: 'Everything that was done here is on the server.',
    advice: '',
  };
}

const changes = (pending: number): string => counted(pending, 'change');

/** How many changes are pending, if any. */
const kept = ({ pending }: Status): string => (pending > 0 ? ` · ${changes(pending)} kept here` : '');

/** Where pending changes are kept, and what becomes of them. */
function waiting({ pending, risk }: Status, when: string): string {
  if (pending === 0) return '';
  const [is, goes] = pending === 1 ? ['is', 'goes'] : ['are', 'go'];
  const place = risk ? 'on this page' : 'in this browser';
  return ` ${changes(pending)} ${is} kept ${place} and ${goes} out by ${pending === 1 ? 'itself' : 'themselves'} ${when}.`;
}

function offline(status: Status, isKnown: boolean): StatusWords {
  const why = isKnown
    ? 'The server does not answer.'
    : 'The server does not answer, so nothing can be shown yet.';
  return {
    short: `Offline${kept(status)}`,
    detail: `${why}${waiting(status, 'when it does')}`,
    advice: isKnown ? 'You can go on working. This page keeps trying.' : 'This page keeps trying.',
  };
}

function notSaving(status: Status): StatusWords {
  return {
    short: `Not saving${kept(status)}`,
    detail: `${firstWords(status.reason)}${waiting(status, 'when that is over')}`,
    advice:
      'What was saved is safe. Whoever runs the server should check its disk and run “draftsmith doctor”; saving goes on by itself.',
  };
}

function closed(status: Status): StatusWords {
  const why = status.reason || 'The server has ended the connection.';
  return { short: `Not connected${kept(status)}`, detail: why, advice: 'Try again, or reload the page.' };
}

/** The reason without what this page adds to it. */
const firstWords = (reason: string): string => {
  const words = reason.replace(/^Not saving: /, '').trim();
  return words ? `${words.charAt(0).toUpperCase()}${words.slice(1)}` : 'The server cannot store changes now.';
};
