/**
 * The formatting buttons; each runs a command. They stay in one row: those that do not fit are in a menu at its end.
 * One tab stop, arrow keys move along it.
 */
import { MoreHorizontal } from 'lucide-react';
import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { spokenKeys, written } from '../commands/keys';
import { useEditorContext } from '../context/EditorContext';
import { IconButton } from '../ui/IconButton';
import { Menu, MenuItem } from '../ui/overlay/Menu';
import { FORMATS } from './formats';

/** The width of a button with its gap, in pixels; as in the styles. */
const BUTTON = 29;

export function FormatBar({ isEnabled }: { isEnabled: boolean }) {
  const { commands } = useEditorContext();
  const bar = useRef<HTMLDivElement>(null);
  const room = useRoom(bar);
  const [wanted, setStop] = useState(0);
  const stop = Math.min(wanted, room);
  const more = FORMATS.slice(room);
  const run = (id: string) => isEnabled && commands.run(`document.${id}`);
  const onFocus = ({ currentTarget, target }: FocusEvent<HTMLElement>) => {
    const at = buttonsIn(currentTarget).indexOf(target as HTMLButtonElement);
    if (at >= 0) setStop(at);
  };
  return (
    <div
      ref={bar}
      className="format-bar"
      role="toolbar"
      aria-label="Formatting"
      onKeyDown={walk}
      onFocus={onFocus}
    >
      {FORMATS.slice(0, room).map(({ id, title, icon, keys }, index) => (
        <IconButton
          key={id}
          icon={icon}
          label={title}
          className="small"
          tabIndex={index === stop ? 0 : -1}
          // Focusable by arrow keys also while disabled.
          aria-disabled={!isEnabled}
          // Keeps focus and selection in the editor.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => run(id)}
          {...(keys && { keys: written(keys), 'aria-keyshortcuts': spokenKeys(keys) })}
        />
      ))}
      {more.length > 0 && (
        <Menu
          align="start"
          button={
            <IconButton
              icon={MoreHorizontal}
              label="More formatting"
              className="small"
              tabIndex={stop === room ? 0 : -1}
            />
          }
        >
          {more.map(({ id, title, icon, keys }) => (
            <MenuItem
              key={id}
              icon={icon}
              isDisabled={!isEnabled}
              onChoose={() => run(id)}
              {...(keys && { keys: written(keys) })}
            >
              {title}
            </MenuItem>
          ))}
        </Menu>
      )}
    </div>
  );
}

/** How many buttons fit, with the menu of the others where it is needed. */
function useRoom(bar: RefObject<HTMLElement | null>): number {
  const [room, setRoom] = useState(FORMATS.length);
  useLayoutEffect(() => {
    const element = bar.current;
    if (!element) return;
    const measure = () => {
      const places = Math.floor((element.clientWidth + 1) / BUTTON);
      setRoom(places >= FORMATS.length ? FORMATS.length : Math.max(places - 1, 0));
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, [bar]);
  return room;
}

const buttonsIn = (element: HTMLElement) => [...element.querySelectorAll('button')];

function walk(event: KeyboardEvent<HTMLElement>): void {
  const buttons = buttonsIn(event.currentTarget);
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
