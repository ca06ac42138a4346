import { useRouter } from "@tanstack/react-router";
import { useCallback } from "react";

/** Tells whether another screen is being loaded. To change the address of this one then would keep the user here. */
export function useIsLeaving(): () => boolean {
  const router = useRouter();
  return useCallback(() => {
    const { resolvedLocation: shown = router.latestLocation } = router.state;
    return shown.pathname !== router.latestLocation.pathname;
  }, [router]);
}
