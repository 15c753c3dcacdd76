import { sleep } from '../clock.ts'
import type { Logger } from '../log.shell.ts'

/**
 * The phases of a stop, in order. First load balancers get time to notice. Then no new requests are accepted and running ones are
 * answered. Then workers stop their work, and the services that they use are closed. The databases stop last.
 */
const phases = ['drain', 'accept', 'workers', 'services', 'database', 'postgres'] as const
type Phase = (typeof phases)[number]

export interface Shutdown {
  /** Parts of one phase stop at the same time. */
  add(phase: Phase, name: string, stop: () => Promise<void> | void): void
  /** Runs the phases once; further calls get the same promise. */
  run(): Promise<void>
}

const phaseMsMax: Record<Phase, number> = {
  drain: 310_000,
  accept: 15_000,
  workers: 30_000,
  services: 10_000,
  database: 5_000,
  postgres: 30_000,
}

export function createShutdown(log: Logger): Shutdown {
  const steps: { phase: Phase; name: string; stop: () => Promise<void> | void }[] = []
  let running: Promise<void> | null = null

  async function runPhases(): Promise<void> {
    for (const phase of phases) {
      const mine = steps.filter((step) => step.phase === phase)
      const all = Promise.all(mine.map((step) => attempt(step)))
      const late = new AbortController()
      const inTime = await Promise.race([all.then(() => true), sleep(phaseMsMax[phase], late.signal).then(() => false)])
      late.abort()
      if (!inTime) log.error({ event: 'shutdown.phase_late', phase })
    }
  }

  // A part that fails to stop must not prevent the others from stopping.
  async function attempt({ phase, name, stop }: (typeof steps)[number]): Promise<void> {
    try {
      await stop()
      log.debug({ event: 'shutdown.stopped', phase, name })
    } catch (error) {
      log.error({ event: 'shutdown.failed', phase, name, reason: (error as Error).message })
    }
  }

  return {
    add: (phase, name, stop) => void steps.push({ phase, name, stop }),
    run: () => (running ??= runPhases()),
  }
}
