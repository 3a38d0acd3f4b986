/** The box above a list of boxes: ticks or unticks all of them, and stands between where only some are ticked. */
interface Props {
  className: string;
  /** How many boxes there are; with one there is none above it. */
  of: number;
  ticked: number;
  onTickAll: () => void;
  onUntickAll: () => void;
}

export function AllOfThese({ className, of, ticked, onTickAll, onUntickAll }: Props) {
  if (of < 2) return null;
  const isAll = ticked === of;
  return (
    <label className={className}>
      <input
        type="checkbox"
        checked={isAll}
        ref={(box) => {
          if (box) box.indeterminate = ticked > 0 && !isAll;
        }}
        onChange={isAll ? onUntickAll : onTickAll}
      />
      All of these
    </label>
  );
}
