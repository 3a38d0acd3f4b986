/** A message in place of content: nothing here yet, or why not. */
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface Props {
  icon: LucideIcon;
  title: string;
  advice: string;
  heading?: 'h1' | 'h2';
  isAlert?: boolean;
  children?: ReactNode;
}

export function Notice({
  icon: Icon,
  title,
  advice,
  heading: Heading = 'h2',
  isAlert = false,
  children,
}: Props) {
  return (
    <div className={`notice${isAlert ? ' alert' : ''}`} role={isAlert ? 'alert' : undefined}>
      <span className="notice-icon" aria-hidden="true">
        <Icon size={24} strokeWidth={1.75} />
      </span>
      <Heading>{title}</Heading>
      {advice && <p>{advice}</p>}
      {children && <div className="notice-actions">{children}</div>}
    </div>
  );
}
