import { createAdmission } from './api-keys/index.ts'
import type { OpenApp } from './open-app.ts'
import type { Admission } from './platform/http/admission.ts'

/** What several routes and workers share and that has to be stopped: the lead finder's index, connection pools. */
export interface Services {
  admission: Admission
  stop(): Promise<void>
}

export async function createServices({ app }: OpenApp): Promise<Services> {
  return {
    admission: createAdmission(app, app.config.role === 'api' ? 'api' : 'all'),
    stop: () => Promise.resolve(),
  }
}
