/**
 * What goes on in every workspace without being looked at: announcements, and uploads of images; and what is shown on demand
 * beside the canvas. Read later.
 */
import { Announcer } from '../people/Announcer';
import { laterInBackground } from '../ui/loading/later';

// After it, so that what they need is not named in the first view.
const ImagesHost = laterInBackground(async () => (await import('../images/ImagesHost')).ImagesHost);
const TextHost = laterInBackground(async () => (await import('../canvas/text/TextHost')).TextHost);
const TypesHost = laterInBackground(async () => (await import('../types/TypesHost')).TypesHost);

export function Background() {
  return (
    <>
      <Announcer />
      <ImagesHost />
      <TextHost />
      <TypesHost />
    </>
  );
}
