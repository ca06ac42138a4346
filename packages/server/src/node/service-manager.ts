import { spawn } from "node:child_process";

/** The variables of systemd's protocol (sd_notify(3), sd_watchdog_enabled(3)). */
export interface ServiceManagerEnvironment {
  NOTIFY_SOCKET?: string | undefined;
  WATCHDOG_USEC?: string | undefined;
}

/** Reports the service's state to systemd. Does nothing without a listener. */
export interface ServiceManager {
  /** The service answers requests; from here on the watchdog is fed. */
  ready(): void;
  stopping(): void;
}

/**
 * Uses the program `systemd-notify`, because Node has no datagram sockets of the local kind. The unit needs
 * `NotifyAccess=all`, since the message comes from that program. A missing program is no reason to stop.
 */
export function createServiceManager(env: ServiceManagerEnvironment): ServiceManager {
  const { NOTIFY_SOCKET, WATCHDOG_USEC } = env;
  if (!NOTIFY_SOCKET) return { ready: () => {}, stopping: () => {} };
  const tell = (message: string) => {
    const program = spawn("systemd-notify", [message], { stdio: "ignore" });
    program.on("error", () => {});
    program.unref();
  };
  let watchdog: NodeJS.Timeout | undefined;
  return {
    ready() {
      tell("READY=1");
      const intervalMs = Number(WATCHDOG_USEC ?? 0) / 2000;
      if (!(intervalMs >= 1)) return;
      // A timer of the event loop: a loop that hangs feeds nothing.
      watchdog ??= setInterval(() => tell("WATCHDOG=1"), intervalMs);
      watchdog.unref();
    },
    // The watchdog continues: stopping may take long, and must not hang either.
    stopping: () => tell("STOPPING=1"),
  };
}
