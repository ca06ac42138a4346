import type { ComponentProps } from "react";

interface ButtonProps extends ComponentProps<"button"> {
  /** What it does cannot be taken back, or stops something */
  isDanger?: boolean;
  /** Its work takes a while: until it is done it takes no press, and keeps the focus, which a disabled one loses */
  isAtWork?: boolean;
}

/** The usual button. None submits a form unless its type says so. */
export const Button = (button: ButtonProps) => styled("button secondary", button);

/** The one button of a screen or form that does what it is for. */
export const MainButton = (button: ButtonProps) => styled("button", button);

/** A button that is only text, in a row or a sentence. */
export const TextButton = (button: ButtonProps) => styled("text-button", button);

function styled(look: string, { isDanger, isAtWork, className, onClick, ...button }: ButtonProps) {
  return (
    <button
      type="button"
      {...button}
      className={[look, isDanger && "danger", className].filter(Boolean).join(" ")}
      aria-disabled={isAtWork || undefined}
      onClick={isAtWork ? (event) => event.preventDefault() : onClick}
    />
  );
}
