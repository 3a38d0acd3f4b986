/** Banners below the bar: not connected, not saving, changes that did not fit. */
import {
  CircleAlert,
  CloudOff,
  HardDrive,
  Inbox,
  LockKeyhole,
  type LucideIcon,
  Smartphone,
} from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { counted } from '../../model/words/kinds';
import { statusWords } from '../../sync/words/status';
import { useEditorContext, useLive } from '../context/EditorContext';
import { laterInBackground } from '../ui/loading/later';
import { useIsPhone } from '../ui/useMedia';

/** A connection that comes back within this time is not reported. */
const CONCERN_AFTER_MS = 2000;

export function Banners() {
  useLeaveQuestion();
  return (
    <section className="banners" aria-label="Notices">
      <SafetyBanner />
      <FrozenBanner />
      <PhoneBanner />
      <RiskBanner />
      <StoreRisks />
      <TrayBanner />
    </section>
  );
}

interface BannerProps {
  icon: LucideIcon;
  tone: 'warn' | 'bad' | 'plain';
  name: string;
  children: ReactNode;
  actions?: ReactNode;
}

function Banner({ icon: Icon, tone, name, children, actions }: BannerProps) {
  return (
    <div className={`page-banner ${tone}`} data-banner={name}>
      <Icon size={16} strokeWidth={2} aria-hidden="true" />
      <p>{children}</p>
      {actions && <div className="page-banner-actions">{actions}</div>}
    </div>
  );
}

/** Offline for a while, closed for good, or not saving; one of them at most. */
function SafetyBanner() {
  const { client } = useEditorContext();
  const status = useLive((live) => live.status);
  const revision = useLive((live) => live.revision);
  const isKnown = useLive((live) => live.isKnown);
  const { connection, saving } = status;
  const isClosed = connection === 'closed';
  const isAway = useForLong(connection === 'offline', CONCERN_AFTER_MS);
  const isFrozen = useLive((live) => live.frozen !== null);
  if (!isClosed && !isAway && (saving !== 'not_saving' || isFrozen)) return null;
  const { short, detail, advice } = statusWords({ status, revision, isKnown });
  const isRefusing = !isClosed && saving === 'not_saving';
  return (
    <Banner
      icon={isRefusing ? CircleAlert : CloudOff}
      tone={isRefusing || isClosed ? 'bad' : 'warn'}
      name={isClosed ? 'closed' : isRefusing ? 'not-saving' : 'offline'}
      actions={
        !isRefusing && (
          <>
            <button type="button" className="button small" onClick={() => client.retry()}>
              Try now
            </button>
            {isClosed && (
              <button type="button" className="button small" onClick={() => window.location.reload()}>
                Reload
              </button>
            )}
          </>
        )
      }
    >
      <strong>{short.split(' · ')[0]}.</strong> {detail} {advice}
    </Banner>
  );
}

/** True after a condition has held for a while; false at once when it ends. */
function useForLong(isSo: boolean, ms: number): boolean {
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    if (!isSo) return;
    const timer = setTimeout(() => setIsLong(true), ms);
    return () => {
      clearTimeout(timer);
      setIsLong(false);
    };
  }, [isSo, ms]);
  return isSo && isLong;
}

function FrozenBanner() {
  const frozen = useLive((live) => live.frozen);
  if (frozen === null) return null;
  return (
    <Banner icon={LockKeyhole} tone="bad" name="frozen">
      <strong>This workspace takes no changes now:</strong> {frozen} Whoever runs the server can mend it with
      “draftsmith recover”.
    </Banner>
  );
}

function PhoneBanner() {
  if (!useIsPhone()) return null;
  return (
    <Banner icon={Smartphone} tone="plain" name="phone">
      View only on a screen this small. Open it on a larger one to edit.
    </Banner>
  );
}

const StoreBanner = laterInBackground(async () => (await import('./StoreBanner')).StoreBanner);

/** What the server's store may lose; few servers have such a store. */
function StoreRisks() {
  const risks = useLive((live) => live.storeRisks);
  return risks.length > 0 && <StoreBanner risks={risks} />;
}

/** Unsaved changes would be lost with this browser's tab. */
function RiskBanner() {
  const risk = useLive((live) => live.status.risk);
  const [isSeen, setIsSeen] = useState(false);
  if (!risk || isSeen) return null;
  return (
    <Banner
      icon={HardDrive}
      tone="warn"
      name="risk"
      actions={
        <button type="button" className="button small" onClick={() => setIsSeen(true)}>
          Understood
        </button>
      }
    >
      {risk} Keep this page open until it says Saved.
    </Banner>
  );
}

function TrayBanner() {
  const { ui } = useEditorContext();
  const count = useLive((live) => live.tray.length);
  if (count === 0) return null;
  return (
    <Banner
      icon={Inbox}
      tone="warn"
      name="tray"
      actions={
        <button type="button" className="button small" onClick={() => ui.set({ dialog: { kind: 'tray' } })}>
          Look
        </button>
      }
    >
      <strong>{counted(count, 'change')} did not fit.</strong> Nothing of {count === 1 ? 'it' : 'them'} is
      lost: look what {count === 1 ? 'it was' : 'they were'}, and apply or discard{' '}
      {count === 1 ? 'it' : 'them'}.
    </Banner>
  );
}

/** Asks before the page is closed with changes that are saved nowhere. */
function useLeaveQuestion(): void {
  const { client } = useEditorContext();
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      const { pending, risk } = client.status;
      if (pending > 0 && risk) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [client]);
}
