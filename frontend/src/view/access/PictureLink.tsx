/** A link to a picture of the diagram: what it shows, and what to paste into a wiki or a README. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Image } from 'lucide-react';
import { useId, useState } from 'react';
import { htmlImage, markdownImage, PICTURE_THEMES, type PictureTheme } from '../../model/export/pictureLink';
import * as api from '../../protocol/access';
import { ROOT_PATH } from '../../protocol/root';
import { useEditorContext, useLive, useUiState } from '../context/EditorContext';
import { NewSecret } from '../ui/field/NewSecret';
import { Select } from '../ui/field/Select';
import { useToasts } from '../ui/overlay/Toasts';
import { hoursOf, LINK_LIVES, type LinkLife } from './linkLives';

/** The address of a workspace, with the token of a link to its picture. */
const previewAddress = (id: string, url: string): string =>
  `${window.location.origin}${ROOT_PATH}/w/${id}${new URL(url).search}`;

export function PictureLink() {
  const { id } = useEditorContext();
  const cache = useQueryClient();
  const toasts = useToasts();
  const headingId = useId();
  const name = useLive((live) => live.name);
  const selected = useUiState(({ selection }) => selection.nodes);
  const [part, setPart] = useState<'all' | 'selection'>('all');
  const [life, setLife] = useState<LinkLife>('never');
  const [theme, setTheme] = useState<PictureTheme>('light');
  const create = useMutation({
    mutationFn: () => api.createPictureLink(id, part === 'selection' ? [...selected] : [], hoursOf(life)),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['shares', id] }),
    onError: toasts.showError,
  });
  const url = create.data?.url;
  const parts = [
    { value: 'all', text: 'The whole diagram' },
    ...(selected.size > 0 ? [{ value: 'selection', text: 'What is selected' } as const] : []),
  ] as const;
  return (
    <section aria-labelledby={headingId}>
      <h3 id={headingId}>Link to a picture</h3>
      <p className="access-hint">
        A wiki or a README shows the diagram as it is now. Whoever has the link sees the picture and nothing
        else.
      </p>
      <div className="access-new">
        <Select aria-label="What the picture shows" value={part} choices={parts} onChoose={setPart} />
        <Select
          aria-label="Colours of the picture"
          value={theme}
          choices={PICTURE_THEMES}
          onChoose={setTheme}
        />
        <Select aria-label="When the picture ends" value={life} choices={LINK_LIVES} onChoose={setLife} />
        <button type="button" className="button" disabled={create.isPending} onClick={() => create.mutate()}>
          <Image size={16} strokeWidth={1.9} aria-hidden="true" />
          Link to a picture
        </button>
      </div>
      {url && (
        <NewSecret
          label="The workspace with a preview, shown once"
          secret={previewAddress(id, url)}
          copied="The address was copied"
          hint="For a chat: the picture is its preview. Who may open the workspace opens it."
        />
      )}
      {url && theme !== 'both' && (
        <NewSecret
          label="The picture in Markdown, shown once"
          secret={markdownImage(url, name, theme)}
          copied="The Markdown was copied"
          hint="Markdown, for a README"
        />
      )}
      {url && (
        <NewSecret
          label="The picture in HTML, shown once"
          secret={htmlImage(url, name, theme)}
          copied="The HTML was copied"
          hint="HTML, for a wiki. Copy it now: it is not shown again."
        />
      )}
    </section>
  );
}
