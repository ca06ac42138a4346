import { useEffect, useRef, useState } from "react";
import { useStrings } from "../../words/strings.tsx";
import { Wrong } from "../../kit/Field.tsx";
import { type ChosenImage, squareOf } from "./image.ts";
import { Button, TextButton } from "../../kit/Button.tsx";

interface AvatarFieldProps {
  /** Of the stored image; null for none */
  url: string | null;
  chosen: ChosenImage | null;
  onChange: (image: ChosenImage | null) => void;
  error?: string | undefined;
}

/** Chooses the image of a page, and shows it as the square that will be seen. */
export function AvatarField({ url, chosen, onChange, error }: AvatarFieldProps) {
  const { buckets } = useStrings();
  const input = useRef<HTMLInputElement>(null);
  const chooser = useRef<HTMLButtonElement>(null);
  const [isUnreadable, setIsUnreadable] = useState(false);
  const choose = async (file: Blob | undefined) => {
    if (!file) return;
    setIsUnreadable(false);
    try {
      onChange(await squareOf(file));
    } catch {
      setIsUnreadable(true);
    }
  };
  const wrong = isUnreadable ? buckets.unreadable : error;
  return (
    <div className="field" role="group" aria-label={buckets.image}>
      <span className="label" aria-hidden="true">
        {buckets.image}
      </span>
      <div
        className="avatar-field line"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          void choose(event.dataTransfer.files[0]);
        }}
      >
        <Face url={url} chosen={chosen} />
        <input
          ref={input}
          type="file"
          accept="image/*"
          hidden
          onChange={(event) => {
            void choose(event.target.files?.[0]);
            event.target.value = "";
          }}
        />
        <Button ref={chooser} onClick={() => input.current?.click()}>
          {url || chosen ? buckets.otherImage : buckets.chooseImage}
        </Button>
        {(url || chosen) && (
          <TextButton
            onClick={() => {
              onChange(null);
              chooser.current?.focus();
            }}
          >
            {buckets.removeImage}
          </TextButton>
        )}
      </div>
      <Wrong>{wrong}</Wrong>
    </div>
  );
}

function Face({ url, chosen }: Pick<AvatarFieldProps, "url" | "chosen">) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (!chosen || !context) return;
    context.clearRect(0, 0, 128, 128);
    context.drawImage(chosen.canvas, 0, 0, 128, 128);
  }, [chosen]);
  if (chosen) return <canvas ref={canvas} width="128" height="128" className="face" aria-hidden="true" />;
  return url ? <img src={url} alt="" className="face" /> : <span className="face" aria-hidden="true" />;
}
