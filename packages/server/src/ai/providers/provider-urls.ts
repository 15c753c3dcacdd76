import type { AiConfig } from '../../platform/config.ts'
import type { RealProvider } from './models.ts'

/** The providers' own addresses. `compatible` has none. */
export const providerUrls: Record<RealProvider, string> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  mistral: 'https://api.mistral.ai/v1',
  compatible: '',
}

// An address that the operator configured. The providers' own addresses are public.
export function ownServer(ai: AiConfig, provider: RealProvider): string | null {
  return provider === 'compatible' ? (ai.compatible?.baseUrl ?? null) : ai[provider].baseUrl
}

/** The addresses of the models that the operator configured. */
export function modelUrls(ai: AiConfig): string[] {
  return (Object.keys(providerUrls) as RealProvider[])
    .filter((provider) => (provider === 'compatible' ? ai.compatible !== null : ai[provider].apiKey !== null))
    .map((provider) => ownServer(ai, provider) ?? providerUrls[provider])
}
