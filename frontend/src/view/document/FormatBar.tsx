/** The buttons over the text; each is a command of the same name. One stop of the Tab key, arrows go along it. */
import { type KeyboardEvent, useState } from 'react';
import { useDesk } from '../desk/Desk';
import { spokenKeys, written } from '../desk/keys';
import { IconButton } from '../ui/IconButton';
import { FORMATS } from './formats';

export function FormatBar({ isEnabled }: { isEnabled: boolean }) {
  const { commands } = useDesk();
  const [stop, setStop] = useState(0);
  return (
    <div className="format-bar" role="toolbar" aria-label="Formatting" onKeyDown={walk}>
      {FORMATS.map(({ id, title, icon, keys }, index) => (
        <IconButton
          key={id}
          icon={icon}
          label={title}
          className="small"
          tabIndex={index === stop ? 0 : -1}
          onFocus={() => setStop(index)}
          // Seen, and reached by arrows, also while there is nothing to format.
          aria-disabled={!isEnabled}
          // The editor keeps the keyboard, and with it what is selected.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => isEnabled && commands.run(`document.${id}`)}
          {...(keys && { keys: written(keys), 'aria-keyshortcuts': spokenKeys(keys) })}
        />
      ))}
    </div>
  );
}

function walk(event: KeyboardEvent<HTMLElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const here = buttons.indexOf(document.activeElement as HTMLButtonElement);
  const last = buttons.length - 1;
  const to = {
    ArrowRight: here === last ? 0 : here + 1,
    ArrowLeft: here === 0 ? last : here - 1,
    Home: 0,
    End: last,
  }[event.key];
  if (to === undefined || here < 0) return;
  event.preventDefault();
  buttons[to]?.focus();
}
