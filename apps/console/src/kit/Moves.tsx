import { TextButton } from "./Button.tsx";
/** Buttons that move an entry of a list up or down, or remove it. */
export function Moves({
  labels,
  isFirst,
  isLast,
  isDisabled = false,
  isKept = false,
  move,
  remove,
}: {
  /** What screen readers say of each button */
  labels: Record<"up" | "down" | "remove", string>;
  isFirst: boolean;
  isLast: boolean;
  isDisabled?: boolean;
  /** The entry cannot be removed */
  isKept?: boolean;
  move: (by: 1 | -1) => void;
  remove: () => void;
}) {
  return (
    <>
      <TextButton
        disabled={isDisabled || isFirst}
        data-towards="-1"
        aria-label={labels.up}
        onClick={() => move(-1)}
      >
        ↑
      </TextButton>
      <TextButton
        disabled={isDisabled || isLast}
        data-towards="1"
        aria-label={labels.down}
        onClick={() => move(1)}
      >
        ↓
      </TextButton>
      <TextButton disabled={isKept} aria-label={labels.remove} onClick={remove}>
        ✕
      </TextButton>
    </>
  );
}
