/** Items of one's own menu where people sign in. */

import { LogIn, LogOut } from 'lucide-react';
import { useLocation } from 'wouter';
import { signOut } from '../../protocol/access';
import { ROOT_PATH } from '../../protocol/root';
import { MenuItem } from '../ui/Menu';

export function AccountItems({ isSignedIn }: { isSignedIn: boolean }) {
  const [, navigate] = useLocation();
  const leave = async () => window.location.assign((await signOut()) ?? `${ROOT_PATH}/sign-in`);
  return isSignedIn ? (
    <MenuItem icon={LogOut} onChoose={() => void leave()}>
      Sign out
    </MenuItem>
  ) : (
    <MenuItem icon={LogIn} onChoose={() => navigate('/sign-in')}>
      Sign in…
    </MenuItem>
  );
}
