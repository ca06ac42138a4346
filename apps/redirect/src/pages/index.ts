export { bucketPage } from "./bucket.ts";
export { gonePage, messagePage, notFoundPage } from "./message.ts";
export { passwordPage } from "./password.ts";
