/** A square button with an icon; its label is its accessible name and its tooltip (`Tips`). */
import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';

interface Props extends Omit<ComponentProps<'button'>, 'aria-label'> {
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
      data-tip={label}
      data-tip-keys={keys}
      {...rest}
    >
      <Icon size={18} strokeWidth={1.9} aria-hidden="true" />
    </button>
  );
}
