import { AccountExport } from "./AccountExport.tsx";
import { DeleteAccount } from "./DeleteAccount.tsx";

/** Taking everything out of the account, and leaving. */
export function Data() {
  return (
    <>
      <AccountExport />
      <DeleteAccount />
    </>
  );
}
