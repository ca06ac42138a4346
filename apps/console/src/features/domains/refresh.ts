import { api, queryClient } from "../../kit/api/api.ts";

export const refreshDomains = () => queryClient.invalidateQueries(api.domains.pathFilter());
