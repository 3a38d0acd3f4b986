/** How long a link may live, in words. */
const DAY = 24;

/** When a link ends. */
export const LINK_LIVES = [
  { value: 'never', text: 'Never ends', hours: null },
  { value: 'day', text: 'Ends in a day', hours: DAY },
  { value: 'week', text: 'Ends in a week', hours: 7 * DAY },
  { value: 'month', text: 'Ends in 30 days', hours: 30 * DAY },
] as const;

export type LinkLife = (typeof LINK_LIVES)[number]['value'];

/** Hours until a link ends; null for never. */
export const hoursOf = (life: LinkLife): number | null =>
  LINK_LIVES.find(({ value }) => value === life)?.hours ?? null;
