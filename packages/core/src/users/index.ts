export { createAccounts } from "./accounts.ts";
export { lockAccount } from "./lock.ts";
export { emailAddress, nameFrom, ownerEmail } from "./new-user.ts";
export { usersRouter } from "./router.ts";
export { accountOf, ConsentEntity, UserEntity } from "./user.entity.ts";
