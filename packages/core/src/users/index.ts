export { createAccounts, emailAddress } from "./accounts.ts";
export { usersRouter } from "./router.ts";
export { ConsentEntity, UserEntity } from "./user.entity.ts";
