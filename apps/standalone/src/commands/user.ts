import type { Invocation } from "@terse/cli";
import { runAdmin } from "../run-admin.ts";
import { accountNamed, given } from "./account.ts";

/** {id, email, name, plan} */
export const create = ({ text }: Invocation): Promise<void> =>
  runAdmin((core) =>
    core.accounts.create({
      email: text("email") ?? "",
      ...given({ name: text("name"), plan: text("plan") }),
    }),
  );

/** {id, email, name, plan} after the change */
export const setPlan = ({ text, is }: Invocation): Promise<void> =>
  runAdmin((core) =>
    core.accounts.setPlan(text("email") ?? "", text("plan") ?? "", { unverified: is("unverified") }),
  );

/** {id, email, name, plan} */
export const setOperator = ({ text, is }: Invocation): Promise<void> =>
  runAdmin((core) =>
    core.accounts.setOperator(text("email") ?? "", !is("off"), { unverified: is("unverified") }),
  );

/** {users: [{id, email, name, plan, email_verified, created_at}]} */
export const list = (): Promise<void> => runAdmin(async (core) => ({ users: await core.accounts.list() }));

/** {id, email, email_verified, name, plan, created_at, suspended_at, …} */
export const show = (call: Invocation): Promise<void> =>
  runAdmin(async (core) => core.accounts.details((await accountNamed(core, call)).id));

/** As `show`, after the change */
export const suspend = (call: Invocation): Promise<void> =>
  runAdmin(async (core) =>
    core.accounts.suspend((await accountNamed(core, call)).id, call.text("reason") ?? ""),
  );

/** As `show`, after the change */
export const resume = (call: Invocation): Promise<void> =>
  runAdmin(async (core) => core.accounts.resume((await accountNamed(core, call)).id));

/** {id, email, deleted: true} */
export const remove = (call: Invocation): Promise<void> =>
  runAdmin(async (core) => {
    const { id, email } = await accountNamed(core, call);
    await core.accounts.delete(id);
    return { id, email, deleted: true };
  });
