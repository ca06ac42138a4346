export { gonePage, messagePage, notFoundPage } from "./message.ts";
export { passwordPage } from "./password.ts";
