import type { Config } from '../platform/config.ts'

const providerUrls = {
  prospeo: 'https://api.prospeo.io',
  pdl: 'https://api.peopledatalabs.com',
  apollo: 'https://api.apollo.io',
} as const

/** The address of the people-data provider that the operator chose. Null if there is none. */
export function peopleDataUrl({ provider, baseUrl }: Config['finder']): string | null {
  return provider === 'local' || provider === 'none' ? null : (baseUrl ?? providerUrls[provider])
}
