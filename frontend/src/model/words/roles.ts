/** Roles in words. Pure. */

/** From the least to the most; a link gives any but the last. */
export const ROLES = [
  { value: 'viewer', text: 'Can view' },
  { value: 'commenter', text: 'Can comment' },
  { value: 'editor', text: 'Can edit' },
  { value: 'owner', text: 'Owner' },
] as const;

export type RoleName = (typeof ROLES)[number]['value'];

export const LINK_ROLES = ROLES.slice(0, 3) as readonly { value: Exclude<RoleName, 'owner'>; text: string }[];

export const roleText = (role: string): string => ROLES.find(({ value }) => value === role)?.text ?? role;

/** Whether somebody in a role may change a workspace: its name, its diagram and its document. */
export const mayChange = (role: RoleName): boolean => role === 'owner' || role === 'editor';

/** Whether somebody in a role may put a workspace into the trash and back. */
export const mayTrash = (role: RoleName): boolean => role === 'owner';
