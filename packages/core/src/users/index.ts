export { createAccounts } from "./accounts.ts";
export { keepAccount } from "./keep.ts";
export { lockAccount } from "./lock.ts";
export { emailAddress, nameFrom, ownerEmail, placeholderEmail } from "./new-user.ts";
export { accountSuspended } from "./suspension.ts";
export { usersRouter } from "./router.ts";
export { accountOf, ConsentEntity, UserEntity } from "./user.entity.ts";
