export { type Call, type CallOptions, type FileCall, type Page, type PageMeta, type Pages } from "./calls.ts";
export { type Client, type ClientOptions, createClient } from "./client.ts";
export { eventsOf, type ServerEvent } from "./events.ts";
export {
  ApiError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  type ErrorCode,
  ForbiddenError,
  NotFoundError,
  PreconditionFailedError,
  RateLimitError,
  ServerError,
  TerseError,
  TimeoutError,
  UnauthorizedError,
} from "./errors.ts";
export type * from "./generated/api.ts";
