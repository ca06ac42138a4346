import { Connections } from "./Connections.tsx";
import { Keys } from "./Keys.tsx";

/** How programs act for the account: with keys, or because one signed in to them. */
export function KeysSection() {
  return (
    <>
      <Keys />
      <Connections />
    </>
  );
}
