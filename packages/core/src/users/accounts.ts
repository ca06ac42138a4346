import { UniqueConstraintViolationException } from "@mikro-orm/core";
import { toAccount } from "../kernel/context.ts";
import type { Deps } from "../deps.ts";
import { AppError, notFound } from "../kernel/errors.ts";
import { parseOr400 } from "../validation/issues.ts";
import type { Accounts } from "./accounts.types.ts";
import { emailAddress, nameFrom, newUser } from "./new-user.ts";
import { deleteAccount, readDetails, setSuspended } from "./suspension.ts";
import { UserEntity } from "./user.entity.ts";

/** Implements `Accounts`. */
export function createAccounts(deps: Deps): Accounts {
  const { orm, clock, newId, policy } = deps;
  const em = () => orm.em.fork();
  const missing = (email: string) => new AppError("NOT_FOUND", `No user has the e-mail address ${email}`);

  return {
    async create({ email, name, plan = policy.defaultPlan }) {
      const user = {
        id: newId(),
        created_at: clock(),
        ...parseOr400(newUser, { email, name: name ?? nameFrom(null, email), plan }),
      };
      try {
        await em().insert(UserEntity, user);
      } catch (error) {
        if (!(error instanceof UniqueConstraintViolationException)) throw error;
        throw new AppError("CONFLICT", `email: ${user.email} already has an account`);
      }
      return toAccount(user);
    },
    async setPlan(email, plan) {
      const { email: address, ...change } = parseOr400(newUser.omit({ name: true }), { email, plan });
      const changed = await em().nativeUpdate(UserEntity, { email: address }, change);
      if (changed === 0) throw missing(email);
      return this.byEmail(email);
    },
    async byEmail(email) {
      const parsed = emailAddress.safeParse(email);
      const user = parsed.success ? await em().findOne(UserEntity, { email: parsed.data }) : null;
      if (!user) throw missing(email);
      return toAccount(user);
    },
    details: (id) => readDetails(deps, id),
    async suspend(id, reason) {
      await setSuspended(deps, id, reason);
      return readDetails(deps, id);
    },
    async resume(id) {
      await setSuspended(deps, id, null);
      return readDetails(deps, id);
    },
    async delete(id) {
      if (!(await deleteAccount(deps, id))) throw notFound("Account");
    },
    async list() {
      const users = await em().find(UserEntity, {}, { orderBy: { created_at: "asc", id: "asc" } });
      return users.map((user) => ({ ...toAccount(user), created_at: user.created_at.toISOString() }));
    },
    async createFirst(user) {
      const row = { id: newId(), created_at: clock(), ...parseOr400(newUser, user) };
      return em().transactional(async (tx) => {
        // Nodes that start at the same time queue here; each sees what the previous one did.
        await tx.execute("lock table users in share row exclusive mode");
        if ((await tx.count(UserEntity)) > 0) return null;
        await tx.insert(UserEntity, row);
        return toAccount(row);
      });
    },
  };
}
