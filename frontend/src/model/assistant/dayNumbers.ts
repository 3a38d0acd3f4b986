/**
 * How well a day's requests to models went, in words: the numbers, and whether they are a reason to worry. Pure. Not
 * here: the limit of tokens (`view/settings/AssistantSettings.tsx`).
 */
import type { Quality, Usage } from '../../protocol/types';
import { codeWords } from '../words/codeWords';
import { counted } from '../words/kinds';
import { priceWords } from './runCost';

export interface DayNumber {
  name: string;
  value: string;
}

/** The numbers of a day; what is zero and of no interest is left out. `usage` is that of one day. */
export function dayNumbers({ quality, total, price }: Usage): DayNumber[] {
  // A server of an earlier version does not count it.
  const today = quality?.today;
  return [...(today ? workNumbers(today) : []), ...tokenNumbers(total, price)];
}

function workNumbers({ runs, applied, failed, batches, refused, repaired, fallbacks, ratings }: Quality) {
  const rows: DayNumber[] = [
    { name: 'Requests', value: joined(number(runs), `${number(applied)} applied`, many(failed, 'failed')) },
    {
      name: 'Batches of changes',
      value: joined(
        number(batches),
        batches > 0 && `${number(refused)} refused (${percent(refused, batches)})`,
        many(repaired, 'corrected'),
      ),
    },
  ];
  if (fallbacks > 0) rows.push({ name: 'Written anew as a whole', value: counted(fallbacks, 'time') });
  if (ratings.up + ratings.down > 0)
    rows.push({ name: 'Ratings', value: `${number(ratings.up)} helped · ${number(ratings.down)} did not` });
  return rows;
}

function tokenNumbers(total: Usage['total'], price: Usage['price']): DayNumber[] {
  const { input = 0, output = 0, cache_read = 0, cost } = total;
  if (input + output === 0) return [];
  const rows: DayNumber[] = [
    { name: 'Tokens sent', value: joined(number(input), many(cache_read, 'from the cache')) },
    { name: 'Tokens received', value: number(output) },
  ];
  if (price && cost !== null && cost !== undefined)
    rows.push({ name: 'Cost', value: priceWords(cost, price.currency) });
  return rows;
}

/** What went wrong too often today, in sentences; empty where nothing did. */
export function dayWarning(today: Quality | undefined): string[] {
  if (!today?.is_loud) return [];
  const { batches, refused, runs, failed, refused_by_code } = today;
  const facts = [
    refused > 0 &&
      `${number(refused)} of ${counted(batches, 'batch of changes', 'batches of changes')} did not fit (${percent(refused, batches)})`,
    failed > 0 && `${number(failed)} of ${counted(runs, 'request')} failed (${percent(failed, runs)})`,
  ].filter((fact) => fact !== false);
  const [most] = Object.entries(refused_by_code).sort(([, one], [, other]) => other - one);
  return [
    `Today more went wrong than should: ${facts.join(', and ')}.`,
    ...(most ? [`Most often: ${reasonWords(most[0])} (${counted(most[1], 'time')})`] : []),
  ];
}

/** The server counts a call that it could not read as one of a code of its own. */
const reasonWords = (code: string): string =>
  code === 'unreadable' ? 'What the model sent could not be read.' : codeWords(code).sentence;

const number = (count: number): string => count.toLocaleString('en');

const percent = (part: number, whole: number): string =>
  `${whole > 0 ? Math.round((part / whole) * 100) : 0} %`;

const many = (count: number, what: string): string | false => count > 0 && `${number(count)} ${what}`;

const joined = (...parts: (string | false)[]): string => parts.filter((part) => part !== false).join(' · ');
