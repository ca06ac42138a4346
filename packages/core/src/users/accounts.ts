import { UniqueConstraintViolationException } from "@mikro-orm/core";
import * as z from "zod";
import type { Account } from "../context.ts";
import type { Deps } from "../deps.ts";
import { AppError, describeIssues } from "../errors.ts";
import { oneOf } from "../fields.ts";
import { planNames } from "../plans.ts";
import { line } from "../text.ts";
import type { Accounts } from "../types.ts";
import { UserEntity } from "./user.entity.ts";

export const emailAddress = z
  .email("is not an e-mail address")
  .max(254, "must have at most 254 characters")
  .toLowerCase();

const newUser = z.object({
  email: emailAddress,
  name: line(100),
  plan: oneOf(planNames),
});

export function createAccounts({ orm, clock, newId }: Deps): Accounts {
  const em = () => orm.em.fork();
  const pick = ({ id, email, name, plan }: Account): Account => ({ id, email, name, plan });
  const missing = (email: string) => new AppError("NOT_FOUND", `No user has the e-mail address ${email}`);

  return {
    async create({ email, name, plan = "free" }) {
      const user = {
        id: newId(),
        created_at: clock(),
        ...check({ email, name: name ?? email.split("@")[0], plan }),
      };
      try {
        await em().insert(UserEntity, user);
      } catch (error) {
        if (!(error instanceof UniqueConstraintViolationException)) throw error;
        throw new AppError("CONFLICT", `email: ${user.email} already has an account`);
      }
      return pick(user);
    },
    async setPlan(email, plan) {
      const checked = check({ email, name: "-", plan });
      const changed = await em().nativeUpdate(UserEntity, { email: checked.email }, { plan: checked.plan });
      if (changed === 0) throw missing(email);
      return this.byEmail(email);
    },
    async byEmail(email) {
      const parsed = emailAddress.safeParse(email);
      const user = parsed.success ? await em().findOne(UserEntity, { email: parsed.data }) : null;
      if (!user) throw missing(email);
      return pick(user);
    },
    async list() {
      const users = await em().find(UserEntity, {}, { orderBy: { created_at: "asc", id: "asc" } });
      return users.map((user) => ({ ...pick(user), created_at: user.created_at.toISOString() }));
    },
    async createFirst(user) {
      const row = { id: newId(), created_at: clock(), ...check(user) };
      return em().transactional(async (tx) => {
        // Nodes that start at once queue here: each sees what the one before it did.
        await tx.execute("lock table users in share row exclusive mode");
        if ((await tx.count(UserEntity)) > 0) return null;
        await tx.insert(UserEntity, row);
        return pick(row);
      });
    },
  };
}

function check(user: unknown): z.infer<typeof newUser> {
  const result = newUser.safeParse(user);
  if (!result.success) throw new AppError("BAD_REQUEST", describeIssues(result.error.issues));
  return result.data;
}
