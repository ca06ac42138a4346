import type { Answers } from "../../kit/api/answers.ts";

type Outputs = Answers["keys"];
export type Key = Outputs["listOwn"][number];
export type NewKey = Outputs["create"];
export type Scope = Key["scopes"][number];
