import type { OpenApp } from './open-app.ts'

/** What several routes and workers share and that has to be stopped: the lead finder's index, connection pools. */
export interface Services {
  stop(): Promise<void>
}

export async function createServices(_open: OpenApp): Promise<Services> {
  return { stop: () => Promise.resolve() }
}
