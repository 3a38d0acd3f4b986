/**
 * Turns at loading pictures: two at a time, so that the browser's few connections stay free for what people do, and the
 * server, which draws one picture of a person after the other, is never asked for more than may wait there.
 */
const AT_ONCE = 2;

/** What begins when a turn is free; gives the turn back by calling what it gets. */
type Begin = () => void;

const waiting: Begin[] = [];
let underWay = 0;

/** Waits for a turn; what is returned gives it back, or takes it off the queue. Calling it again does nothing. */
export function takePictureTurn(begin: Begin): () => void {
  let state: 'waiting' | 'under way' | 'over' = 'waiting';
  const start = () => {
    state = 'under way';
    underWay += 1;
    begin();
  };
  const leave = () => {
    if (state === 'waiting') waiting.splice(waiting.indexOf(start), 1);
    else if (state === 'under way') underWay -= 1;
    state = 'over';
    serve();
  };
  waiting.push(start);
  serve();
  return leave;
}

function serve(): void {
  while (underWay < AT_ONCE) {
    const next = waiting.shift();
    if (!next) return;
    next();
  }
}
