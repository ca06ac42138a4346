import { Download } from "../../kit/Download.tsx";
import { Section } from "../../kit/Section.tsx";
import { useStrings } from "../../words/strings.tsx";
import { DeleteAccount } from "./DeleteAccount.tsx";

/** Taking everything out of the account, whichever workspace is shown, and leaving. */
export function Data() {
  const { settings } = useStrings();
  return (
    <>
      <Section title={settings.exportTitle} lead={settings.exportHint}>
        <Download action={settings.exportStart} name="terse-account.ndjson" of="personal" />
      </Section>
      <DeleteAccount />
    </>
  );
}
