/** Whether a workspace may be changed on this page, and why not, in words. Pure. */

/** What a workspace may be used for on this page, and why not more. */
export interface Access {
  isWritable: boolean;
  /** The reason where it is not writable; else empty. */
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

export function accessOf({ role, frozen, isPhone, isViewingOld, isEmbedded }: AccessInput): Access {
  const no = (reason: string): Access => ({ isWritable: false, reason });
  if (isEmbedded) return no('It is shown inside another page. Open it in Draftsmith to change something.');
  if (role === 'viewer') return no('You may look at this workspace, not change it.');
  if (role === 'commenter')
    return no('You may ask the assistant and propose changes in this workspace; an editor accepts them.');
  if (frozen !== null) return no(`This workspace takes no changes now: ${frozen}`);
  if (isPhone) return no('View only on a screen this small. Open it on a larger one to edit.');
  if (isViewingOld) return no('An old revision is in sight. Go back to the newest to change something.');
  return { isWritable: true, reason: '' };
}
