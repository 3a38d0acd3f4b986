/** Whether this page may change a workspace, with the reason in words if not. Pure. */

/** What a workspace may be used for on this page, and why not more. */
export interface Access {
  /** Whether changes of the diagram are taken. */
  isWritable: boolean;
  /** Whether they are collected here, to be proposed, instead of being sent one by one. */
  isDraft: boolean;
  /** Whether name and document are changed here, too. */
  isTextWritable: boolean;
  /** The reason where something of it is not writable; else empty. */
  reason: string;
}

interface AccessInput {
  /** The role of this person; null while it is not known, which forbids nothing. */
  role: 'owner' | 'editor' | 'commenter' | 'viewer' | null;
  /** Why it accepts no changes from anybody; null where it does. */
  frozen: string | null;
  /** Whether the screen is too small for editing. */
  isPhone: boolean;
  /** Whether an old revision is shown. */
  isViewingOld: boolean;
  /** Whether it is shown inside another page. */
  isEmbedded: boolean;
}

const PROPOSES = 'You may ask the assistant and propose changes in this workspace; an editor accepts them.';

export function accessOf({ role, frozen, isPhone, isViewingOld, isEmbedded }: AccessInput): Access {
  const no = (reason: string): Access => ({
    isWritable: false,
    isDraft: false,
    isTextWritable: false,
    reason,
  });
  if (isEmbedded) return no('It is shown inside another page. Open it in Draftsmith to change something.');
  if (role === 'viewer') return no('You may look at this workspace, not change it.');
  if (frozen !== null) return no(`This workspace takes no changes now: ${frozen}`);
  if (isPhone) return no('View only on a screen this small. Open it on a larger one to edit.');
  if (isViewingOld) return no('An old revision is in sight. Go back to the newest to change something.');
  if (role === 'commenter')
    return { isWritable: true, isDraft: true, isTextWritable: false, reason: PROPOSES };
  return { isWritable: true, isDraft: false, isTextWritable: true, reason: '' };
}
