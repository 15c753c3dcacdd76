/** The people database belongs to the service, so its statements have a dataset in place of a tenant. */
export type Dataset = 'demo' | 'live'

export interface DatasetState {
  generation: string
  version: number
  people: number
  companies: number
}
