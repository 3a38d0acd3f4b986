/** The buttons over the text; each is a command of the same name. */
import { Toolbar } from 'radix-ui';
import { useDesk } from '../desk/Desk';
import { spokenKeys, written } from '../desk/keys';
import { IconButton } from '../ui/IconButton';
import { FORMATS } from './formats';

export function FormatBar({ isEnabled }: { isEnabled: boolean }) {
  const { commands } = useDesk();
  return (
    <Toolbar.Root className="format-bar" aria-label="Formatting">
      {FORMATS.map(({ id, title, icon, keys }) => (
        <Toolbar.Button key={id} asChild>
          <IconButton
            icon={icon}
            label={title}
            className="small"
            disabled={!isEnabled}
            // The editor keeps the keyboard, and with it what is selected.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => commands.run(`document.${id}`)}
            {...(keys && { keys: written(keys), 'aria-keyshortcuts': spokenKeys(keys) })}
          />
        </Toolbar.Button>
      ))}
    </Toolbar.Root>
  );
}
