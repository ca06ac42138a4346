import { isUniqueViolation } from "../../db/errors.ts";
import type { AccountDeps } from "../call.ts";
import { operatorDeed, recordActivity } from "../activity/record.ts";
import { toAccount } from "../../kernel/context.ts";
import { AppError } from "../../kernel/errors.ts";
import { parseOr400 } from "../../kernel/validation/issues.ts";
import type { Accounts, Addressing } from "./accounts.types.ts";
import { emailAddress, nameFrom, newUser } from "./new-user.ts";
import { readDetails, setSuspended } from "./suspension.ts";
import { UserEntity } from "./user.entity.ts";

/** Implements `Accounts`, except for what several features are needed for. */
export function createAccounts(deps: AccountDeps): Omit<Accounts, "delete"> {
  const { orm, clock, newId, policy } = deps;
  const em = () => orm.em.fork();

  async function find(email: string, { unverified = false }: Addressing) {
    const parsed = emailAddress.safeParse(email);
    const user = parsed.success ? await em().findOne(UserEntity, { email: parsed.data }) : null;
    if (!user) throw new AppError("NOT_FOUND", `No user has the e-mail address ${email}`);
    if (!user.email_verified && !unverified) throw unproven(user.email);
    return user;
  }

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
        if (!isUniqueViolation(error)) throw error;
        throw new AppError("CONFLICT", `email: ${user.email} already has an account`);
      }
      return toAccount(user);
    },
    async setPlan(email, plan, addressing = {}) {
      const { plan: next } = parseOr400(newUser.omit({ name: true }), { email, plan });
      const before = await find(email, addressing);
      await em().nativeUpdate(UserEntity, { id: before.id }, { plan: next });
      if (before.plan !== next) {
        const about = `${before.plan} to ${next}`;
        await recordActivity(deps, operatorDeed(before.id), "plan_changed", about);
      }
      return toAccount({ ...before, plan: next });
    },
    async setOperator(email, is_operator, addressing = {}) {
      const user = await find(email, addressing);
      await em().nativeUpdate(UserEntity, { id: user.id }, { is_operator });
      if (user.is_operator !== is_operator) {
        await recordActivity(
          deps,
          operatorDeed(user.id),
          is_operator ? "operator_granted" : "operator_revoked",
        );
      }
      return toAccount(user);
    },
    async byEmail(email, addressing = {}) {
      return toAccount(await find(email, addressing));
    },
    details: (id) => readDetails(deps, id),
    async suspend(id, reason) {
      await setSuspended(deps, id, reason);
      await recordActivity(deps, operatorDeed(id), "suspended");
      return readDetails(deps, id);
    },
    async resume(id) {
      await setSuspended(deps, id, null);
      await recordActivity(deps, operatorDeed(id), "resumed");
      return readDetails(deps, id);
    },
    async list() {
      const users = await em().find(
        UserEntity,
        { erased_at: null },
        { orderBy: { created_at: "asc", id: "asc" } },
      );
      return users.map((user) => ({
        ...toAccount(user),
        email_verified: user.email_verified,
        created_at: user.created_at.toISOString(),
      }));
    },
    async createFirst(user) {
      const row = { id: newId(), created_at: clock(), ...parseOr400(newUser, user) };
      return em().transactional(async (tx) => {
        // Nodes that start at the same time queue here; each sees what the previous one did.
        await tx.execute("lock table users in share row exclusive mode");
        if ((await tx.count(UserEntity)) > 0) return null;
        // Whoever starts the service runs it.
        await tx.insert(UserEntity, { ...row, is_operator: true });
        return toAccount(row);
      });
    },
  };
}

const unproven = (email: string) =>
  new AppError(
    "CONFLICT",
    `The account with the address ${email} has never proven it, so it may be somebody else's: pass --unverified to select it anyway`,
  );
