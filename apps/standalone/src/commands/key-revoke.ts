import { AppError } from "@terse/core";
import { Command } from "commander";
import { runAdmin } from "../run-admin.ts";

const shape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** `key revoke`: {id, deleted: true}, as over REST */
export const keyRevoke = () =>
  new Command("revoke")
    .description("End an API key: the next request that carries it is refused")
    .requiredOption("--id <id>", "the key's id, as `key create` gave it")
    .action(({ id }: { id: string }) =>
      runAdmin(async (core) => {
        // The prefix of a key, or a key itself, is easily taken for its id; neither may be repeated in a message.
        if (!shape.test(id)) throw new AppError("BAD_REQUEST", "--id is not the id of an API key");
        if (!(await core.keys.revoke(id))) throw new AppError("NOT_FOUND", `No API key has the id ${id}`);
        return { id, deleted: true };
      }),
    );
