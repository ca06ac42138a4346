import { useBlocker } from "@tanstack/react-router";
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { useStrings } from "../words/strings.tsx";
import { modifier } from "./shortcuts.ts";
import { Overlay } from "./Overlay.tsx";
import { KeyCap } from "./Shortcut.tsx";
import { Wrong } from "./Field.tsx";
import { Button, MainButton } from "./Button.tsx";
import "./form-panel.css";

interface FormPanelProps {
  title: string;
  /** Removes the panel. Called after a save, or when the person agreed to lose what was typed */
  close: () => void;
  /** Saves, and rejects if that failed; the form then stays as it is, and shows what its owner knows of the error */
  save: () => Promise<unknown>;
  saveLabel: string;
  /** True if the form differs from what is saved */
  isChanged: boolean;
  /** Why saving failed, if that is about no field */
  error?: string | undefined;
  /** Buttons at the start of the footer, such as deleting */
  actions?: ReactNode;
  /** What the form makes, shown beside the fields, or below them on narrow screens */
  preview?: ReactNode;
  /** The fields. After a failed save, the first one with `aria-invalid` gets the focus */
  children: ReactNode;
}

/** A side panel with a form. Ctrl+Enter saves. Escape closes it, and asks first if something would be lost. */
export function FormPanel({ title, close, save, isChanged, preview, children, ...footer }: FormPanelProps) {
  const form = useRef<HTMLFormElement>(null);
  const [isSaving, setIsSaving] = useState(false);
  const [failures, setFailures] = useState(0);
  const [isAsking, setIsAsking] = useState(false);
  const isLeaving = useRef(false);
  const latestSave = useRef(save);
  /** What had the focus before the question, or before saving */
  const origin = useRef<Element | null>(null);
  // The browser's back button and a reload would lose something, too.
  const blocker = useBlocker({
    shouldBlockFn: () => isChanged && !isLeaving.current,
    enableBeforeUnload: () => isChanged && !isLeaving.current,
    withResolver: true,
  });
  useLayoutEffect(() => {
    latestSave.current = save;
  });
  useEffect(() => {
    if (failures === 0) return;
    const wrong = form.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    if (wrong) wrong.focus();
    else if (origin.current instanceof HTMLElement) origin.current.focus();
  }, [failures]);

  const leave = () => {
    isLeaving.current = true;
    if (blocker.proceed) blocker.proceed();
    else close();
  };
  const requestClose = () => {
    if (!isChanged) return leave();
    if (isAsking) return keepEditing();
    origin.current = document.activeElement;
    setIsAsking(true);
  };
  const keepEditing = () => {
    setIsAsking(false);
    blocker.reset?.();
    if (origin.current instanceof HTMLElement) origin.current.focus();
  };
  const submit = async () => {
    if (isSaving) return;
    takeTyped();
    setIsSaving(true);
    try {
      await latestSave.current();
      leave();
    } catch {
      setFailures((before) => before + 1);
    } finally {
      setIsSaving(false);
    }
  };
  /** Leaves the field that has the focus: some, such as tags, take what was typed only then. */
  const takeTyped = () => {
    const focused = document.activeElement;
    origin.current = focused;
    if (focused instanceof HTMLElement && form.current?.contains(focused)) flushSync(() => focused.blur());
  };
  const onKeyDown = (event: KeyboardEvent | globalThis.KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.stopPropagation();
    void submit();
  };
  // A button that opened a part of the form is gone, and the focus is outside of the form until that part is loaded.
  const onKeyDownAround = useEffectEvent(onKeyDown);
  useEffect(() => {
    const keydown = (event: globalThis.KeyboardEvent) => {
      const focused = event.target instanceof Element ? event.target : document.body;
      if ((focused.closest("[role=dialog]") ?? focused).contains(form.current)) onKeyDownAround(event);
    };
    document.addEventListener("keydown", keydown);
    return () => document.removeEventListener("keydown", keydown);
  }, []);

  return (
    <Overlay title={title} close={requestClose} shape={preview ? "wide" : "panel"}>
      <form
        ref={form}
        className="form-panel"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
        // Before a focused button takes the key for a press.
        onKeyDownCapture={onKeyDown}
      >
        <div className="form">{children}</div>
        {preview && <aside>{preview}</aside>}
        {isAsking || blocker.status === "blocked" ? (
          <Question keepEditing={keepEditing} discard={leave} />
        ) : (
          <Footer {...footer} cancel={requestClose} isSaving={isSaving} />
        )}
      </form>
    </Overlay>
  );
}

interface FooterProps extends Pick<FormPanelProps, "saveLabel" | "error" | "actions"> {
  cancel: () => void;
  isSaving: boolean;
}

function Footer({ saveLabel, error, actions, cancel, isSaving }: FooterProps) {
  const strings = useStrings();
  return (
    <footer>
      <Wrong>{error}</Wrong>
      {actions}
      <span className="spacer" />
      <Button onClick={cancel}>{strings.builder.cancel}</Button>
      <MainButton type="submit" isAtWork={isSaving}>
        {saveLabel}
        <KeyCap>{modifier} ↵</KeyCap>
      </MainButton>
    </footer>
  );
}

/** Stands in the footer's place, since a dialog over a dialog would be one too many. */
function Question({ keepEditing, discard }: { keepEditing: () => void; discard: () => void }) {
  const strings = useStrings();
  const id = useId();
  return (
    <footer role="group" aria-labelledby={id}>
      <p id={id} role="alert">
        {strings.form.question}
      </p>
      <span className="spacer" />
      <Button onClick={discard}>{strings.form.discard}</Button>
      <MainButton autoFocus onClick={keepEditing}>
        {strings.form.keepEditing}
      </MainButton>
    </footer>
  );
}
