import { randomUUID } from "node:crypto";
import {
  defaultResource,
  detectResources,
  type Resource,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import { nodeName } from "../node/node-name.ts";
import { version } from "../node/process-metrics.ts";
import type { Settings } from "../settings/read.ts";

/** What this process is. OTEL_RESOURCE_ATTRIBUTES can add to it and change it, except for the name of the service. */
export const resourceOf = (settings: Settings): Resource =>
  defaultResource()
    .merge(
      resourceFromAttributes({
        "service.version": version,
        "service.instance.id": randomUUID(),
        "host.name": nodeName(settings),
        "process.pid": process.pid,
      }),
    )
    .merge(detectResources({ detectors: [resourceAttributesEnvDetector] }))
    .merge(resourceFromAttributes({ "service.name": settings.OTEL_SERVICE_NAME }));
