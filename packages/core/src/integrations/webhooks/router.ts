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
  /** Create a webhook */
  create: createWebhook,
  /** List webhooks */
  list: listWebhooks,
  /** Get a webhook */
  get: getWebhook,
  /** Update a webhook */
  update: updateWebhook,
  /** Delete a webhook */
  delete: deleteWebhook,
  /** Replace a webhook's secret */
  rotate: rotateSecret,
  /** List deliveries of a webhook */
  deliveries: listDeliveries,
  /** Send events again */
  replay: replayWebhook,
  /** Send a test event */
  test: testWebhook,
});
