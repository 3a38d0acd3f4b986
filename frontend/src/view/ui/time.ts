/** Times in words. */

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['minute', 60],
  ['hour', 3600],
  ['day', 86_400],
];
const WEEK_SECONDS = 7 * 86_400;

/** "just now", "5 minutes ago", "yesterday", then the date. */
export function ago(iso: string, now: number = Date.now()): string {
  const then = new Date(iso);
  const seconds = Math.round((now - then.getTime()) / 1000);
  if (Number.isNaN(seconds)) return '';
  if (seconds < 45) return 'just now';
  if (seconds >= WEEK_SECONDS) {
    return then.toLocaleDateString('en', { day: 'numeric', month: 'short', year: 'numeric' });
  }
  let [unit, size] = STEPS[0] as [Intl.RelativeTimeFormatUnit, number];
  for (const step of STEPS) if (seconds >= step[1]) [unit, size] = step;
  return relative.format(-Math.max(1, Math.floor(seconds / size)), unit);
}

/** The full date and time, for tooltips. */
export const exactly = (iso: string): string =>
  new Date(iso).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' });

/** The time of day. */
export const clock = (iso: string): string =>
  new Date(iso).toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hour12: false });

/** "Today", "Yesterday" or the date. */
export function dayOf(iso: string, now: number = Date.now()): string {
  const date = new Date(iso);
  const today = new Date(now);
  const yesterday = new Date(now - 86_400_000);
  if (date.toDateString() === today.toDateString()) return 'Today';
  if (date.toDateString() === yesterday.toDateString()) return 'Yesterday';
  return date.toLocaleDateString('en', { weekday: 'short', day: 'numeric', month: 'long', year: 'numeric' });
}
