/** A square button with an icon; its label is its accessible name and its tooltip. */
import type { LucideIcon } from 'lucide-react';
import type { ButtonHTMLAttributes } from 'react';

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label'> {
  icon: LucideIcon;
  label: string;
  /** Shown in the tooltip after the label. */
  keys?: string;
}

export function IconButton({ icon: Icon, label, keys, className = '', ...rest }: Props) {
  return (
    <button
      type="button"
      className={`icon-button ${className}`}
      aria-label={label}
      data-tip={keys ? `${label}  (${keys})` : label}
      {...rest}
    >
      <Icon size={18} strokeWidth={1.9} aria-hidden="true" />
    </button>
  );
}
