/** Items of one's own menu that are read when it opens: an agent of one's own, and signing in and out. */

import { Bot, LogIn, LogOut } from 'lucide-react';
import { useLocation } from 'wouter';
import { signOut } from '../../protocol/access';
import { ROOT_PATH } from '../../protocol/root';
import type { Me } from '../../protocol/types';
import { MenuItem } from '../ui/overlay/Menu';

interface Props {
  me: Me;
  onConnectAgent: () => void;
}

export function AccountItems({ me, onConnectAgent }: Props) {
  const [, navigate] = useLocation();
  const leave = async () => window.location.assign((await signOut()) ?? `${ROOT_PATH}/sign-in`);
  return (
    <>
      <MenuItem icon={Bot} onChoose={onConnectAgent}>
        Connect your agent…
      </MenuItem>
      {me.mode === 'token' && me.signed_in && (
        <MenuItem icon={LogOut} onChoose={() => void leave()}>
          Sign out
        </MenuItem>
      )}
      {me.mode === 'token' && !me.signed_in && (
        <MenuItem icon={LogIn} onChoose={() => navigate('/sign-in')}>
          Sign in…
        </MenuItem>
      )}
    </>
  );
}
