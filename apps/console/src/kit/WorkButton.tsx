import type { ComponentProps } from "react";

interface WorkButtonProps extends ComponentProps<"button"> {
  isAtWork: boolean;
}

/** A button whose work takes a while: until it is done it takes no press, and keeps the focus, which a disabled one loses. */
export function WorkButton({ isAtWork, onClick, ...button }: WorkButtonProps) {
  return (
    <button
      type="button"
      className="button"
      {...button}
      aria-disabled={isAtWork || undefined}
      onClick={isAtWork ? (event) => event.preventDefault() : onClick}
    />
  );
}
