/** The people database is the service's: its statements take a dataset where others take a tenant. */
export type Dataset = 'demo' | 'live'

export interface DatasetState {
  generation: string
  version: number
  people: number
  companies: number
}
