import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { api } from "../../kit/api/api.ts";
import { useKey } from "../../kit/shortcuts.ts";
import { useStrings } from "../../words/strings.tsx";
import { Field } from "../../kit/Field.tsx";
import { useScreenFocusAfter } from "../../kit/focus.ts";
import { readName } from "./typed-name.ts";
import { MainButton } from "../../kit/Button.tsx";

/** The form for a domain, which says what it makes of the name while it is typed. */
export function AddDomain() {
  const { domains } = useStrings();
  const form = useRef<HTMLFormElement>(null);
  useKey("n", () => form.current?.querySelector("input")?.focus(), domains.add);
  const [text, setText] = useState("");
  useScreenFocusAfter();
  const add = useMutation(api.domains.create.mutationOptions());
  const { name, remark } = readName(text);
  const isWrong = remark === "character" || remark === "part";
  const refused = add.variables?.domain === name ? add.error?.message : undefined;
  return (
    <form
      ref={form}
      className="form narrow"
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate({ domain: name });
      }}
    >
      <p>{domains.lead}</p>
      <Field
        label={domains.name}
        placeholder="go.example.com"
        value={text}
        onChange={setText}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        inputMode="url"
        error={refused ?? (isWrong ? domains.remarks[remark] : undefined)}
        hint={
          <>
            {remark === "fine" || remark === "apex" ? domains.example(name) : domains.nameHint}
            {remark === "apex" && <> {domains.remarks.apex}</>}
          </>
        }
      />
      <footer>
        <MainButton type="submit" disabled={add.isPending || isWrong || remark === "empty"}>
          {domains.add}
        </MainButton>
      </footer>
    </form>
  );
}
