/** Roles and the links that give them, in words. Pure. */

/** From the least to the most; a link gives any but the last. */
export const ROLES = [
  { value: 'viewer', text: 'Can view' },
  { value: 'commenter', text: 'Can comment' },
  { value: 'editor', text: 'Can edit' },
  { value: 'owner', text: 'Owner' },
] as const;

export type RoleName = (typeof ROLES)[number]['value'];

export const LINK_ROLES = ROLES.slice(0, 3) as readonly { value: Exclude<RoleName, 'owner'>; text: string }[];

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

export const roleText = (role: string): string => ROLES.find(({ value }) => value === role)?.text ?? role;

/** Whether somebody in a role may change a workspace: its name, its diagram and its document. */
export const mayChange = (role: RoleName): boolean => role === 'owner' || role === 'editor';

/** Whether somebody in a role may put a workspace into the trash and back. */
export const mayTrash = (role: RoleName): boolean => role === 'owner';
