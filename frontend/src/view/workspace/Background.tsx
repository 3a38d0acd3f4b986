/** What goes on in every workspace without being looked at: announcements, and uploads of images; read later. */
import { Announcer } from '../people/Announcer';
import { laterInBackground } from '../ui/loading/later';

// After it, so that what it needs is not named in the first view.
const ImagesHost = laterInBackground(async () => (await import('../images/ImagesHost')).ImagesHost);

export function Background() {
  return (
    <>
      <Announcer />
      <ImagesHost />
    </>
  );
}
