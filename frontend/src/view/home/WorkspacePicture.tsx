/** A small picture of a workspace's diagram, loaded once its row is about to be seen; an icon until then, and without nodes. */
import { Workflow } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { at, params } from '../../protocol/api';
import { ROOT_PATH } from '../../protocol/root';
import type { WorkspaceItem } from '../../protocol/types';
import { takePictureTurn } from '../ui/loading/pictureTurns';
import { useIsDark } from '../ui/useMedia';

export function WorkspacePicture({ item }: { item: WorkspaceItem }) {
  const theme = useIsDark() ? 'dark' : 'light';
  // The server shows the newest whatever `of` says, but a browser asks anew for another address alone.
  const query = params({ theme, scale: scaleFor(item.nodes), of: item.revision });
  const address = `${ROOT_PATH}/api/v1${at(item.id)}/picture.png${query}`;
  const isDrawn = item.nodes > 0 && item.deleted_at === null;
  return (
    <span className="row-tile picture" aria-hidden="true">
      {isDrawn ? <Loaded key={address} address={address} /> : <Workflow size={18} strokeWidth={1.9} />}
    </span>
  );
}

/**
 * The scale at which a diagram of so many nodes is some 300 pixels wide: a node with its margin takes 400, and nodes stand
 * in about a square. No less than the least that the server draws.
 */
const scaleFor = (nodes: number): number => Math.max(0.05, Math.round(75 / Math.sqrt(nodes)) / 100);

/** The image, over the icon once it is there; where it cannot be had, the icon stays. */
function Loaded({ address }: { address: string }) {
  const place = useRef<HTMLSpanElement>(null);
  const leave = useRef<() => void>(() => {});
  const [state, setState] = useState<'waiting' | 'loading' | 'there' | 'failed'>('waiting');
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        leave.current = takePictureTurn(() => setState('loading'));
      },
      { rootMargin: '200px' },
    );
    if (place.current) observer.observe(place.current);
    return () => {
      observer.disconnect();
      leave.current();
    };
  }, []);
  const end = (next: 'there' | 'failed') => () => {
    leave.current();
    setState(next);
  };
  return (
    <span ref={place}>
      {state !== 'there' && <Workflow size={18} strokeWidth={1.9} />}
      {(state === 'loading' || state === 'there') && (
        <img src={address} alt="" decoding="async" onLoad={end('there')} onError={end('failed')} />
      )}
    </span>
  );
}
