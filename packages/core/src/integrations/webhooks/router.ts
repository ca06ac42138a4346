import { router } from "../../rpc/procedure.ts";
import { createWebhook } from "./create.ts";
import { deleteWebhook } from "./delete.ts";
import { listDeliveries } from "./deliveries.ts";
import { getWebhook } from "./get.ts";
import { listWebhooks } from "./list.ts";
import { replayWebhook } from "./replay.ts";
import { rotateSecret } from "./rotate.ts";
import { testWebhook } from "./test.ts";
import { updateWebhook } from "./update.ts";

export const webhooksRouter = router({
  create: createWebhook,
  list: listWebhooks,
  get: getWebhook,
  update: updateWebhook,
  delete: deleteWebhook,
  rotate: rotateSecret,
  deliveries: listDeliveries,
  replay: replayWebhook,
  test: testWebhook,
});
