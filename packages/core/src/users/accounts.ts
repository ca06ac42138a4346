import { UniqueConstraintViolationException } from "@mikro-orm/core";
import * as z from "zod";
import type { Account } from "../context.ts";
import type { Deps } from "../deps.ts";
import { AppError, describeIssues } from "../errors.ts";
import { planNames } from "../plans.ts";
import { line } from "../text.ts";
import type { Accounts } from "../types.ts";
import { UserEntity } from "./user.entity.ts";

const newUser = z.object({
  email: z.email("is not an e-mail address").max(254).toLowerCase(),
  name: line(100),
  plan: z.enum(planNames, `must be one of ${planNames.join(", ")}`),
});

export function createAccounts({ orm, clock, newId, pool }: Deps): Accounts {
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
      const user = await em().findOne(UserEntity, { email: email.toLowerCase() });
      if (!user) throw missing(email);
      return pick(user);
    },
    async list() {
      const users = await em().find(UserEntity, {}, { orderBy: { created_at: "asc", id: "asc" } });
      return users.map((user) => ({ ...pick(user), created_at: user.created_at.toISOString() }));
    },
    async createFirst(user) {
      const { rows } = await pool.query<Account>(
        `insert into users (id, email, name, plan, created_at)
         select $1, $2, $3, $4, $5 where not exists (select 1 from users)
         on conflict do nothing
         returning id, email, name, plan`,
        [newId(), user.email, user.name, user.plan, clock()],
      );
      return rows[0] ?? null;
    },
  };
}

function check(user: unknown): z.infer<typeof newUser> {
  const result = newUser.safeParse(user);
  if (!result.success) throw new AppError("BAD_REQUEST", describeIssues(result.error.issues));
  return result.data;
}
