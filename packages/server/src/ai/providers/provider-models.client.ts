import type { LanguageModel } from 'ai'
import { z } from 'zod'
import type { App } from '../../platform/app.ts'
import type { AiConfig } from '../../platform/config.ts'
import { checkTarget, accountReach } from '../../platform/mail/network-guard.client.ts'
import { responseText } from '../../platform/response-text.client.ts'
import type { ModelEntry, RealProvider } from './models.ts'
import { ownServer, providerUrls } from './provider-urls.ts'

type ReachTools = Pick<App, 'config' | 'names'>

const probeTimeoutMs = 3000
const probeBytesMax = 4_000_000

/** Why a model can't be called with this configuration, checked without a network request; null if it can. */
export function whyUnset(ai: AiConfig, entry: ModelEntry): string | null {
  if (entry.provider === 'builtin') return null
  if (entry.provider === 'compatible') return ai.compatible === null ? 'No server is configured.' : null
  return ai[entry.provider].apiKey === null ? 'No API key is configured for this provider.' : null
}

/** The result of a provider's model list request. */
type Probe = { reason: string } | { reason: null; listed: ReadonlySet<string> | null }

/** Requests the model list of a provider. A refused key or an unreachable server makes its models unavailable. */
export async function probeProvider(app: ReachTools, provider: RealProvider): Promise<Probe> {
  const { config } = app
  try {
    if (ownServer(config.ai, provider) !== null) await assertReachable(app, provider)
    const { url, headers } = listing(config.ai, provider)
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(probeTimeoutMs), redirect: 'error' })
    if ([400, 401, 403].includes(response.status)) return { reason: 'The server rejects the configured key.' }
    // Some servers have no list; a 404 counts as available.
    if (response.status === 404) return { reason: null, listed: null }
    if (!response.ok) return { reason: `The server responds with status ${response.status}.` }
    return { reason: null, listed: namesIn((await responseText(response, probeBytesMax)) ?? '') }
  } catch (error) {
    return { reason: error instanceof PrivateTargetError ? error.message : 'The server does not respond.' }
  }
}

/** Why a model is unavailable according to its provider. A tag or a dated version counts as the same model. */
export function whyNotListed(probe: Probe, model: string): string | null {
  if (probe.reason !== null) return probe.reason
  if (probe.listed === null || probe.listed.size === 0) return null
  const isVersion = (rest: string) => rest === '' || /^(?::|-\d)/.test(rest)
  const known = [...probe.listed].some((id) => id.startsWith(model) && isVersion(id.slice(model.length)))
  return known ? null : `The server does not list the model ${model}.`
}

const listSchema = z.union([
  z.object({ data: z.array(z.object({ id: z.string() })) }).transform(({ data }) => data.map(({ id }) => id)),
  z
    .object({ models: z.array(z.object({ name: z.string() })) })
    .transform(({ models }) => models.map((one) => one.name)),
])

function namesIn(text: string): ReadonlySet<string> | null {
  try {
    const listed = listSchema.safeParse(JSON.parse(text))
    return listed.success ? new Set(listed.data.map((name) => name.replace(/^models\//, ''))) : null
  } catch {
    return null
  }
}

function listing(ai: AiConfig, provider: RealProvider): { url: string; headers: Record<string, string> } {
  const base = (ownServer(ai, provider) ?? providerUrls[provider]).replace(/\/+$/, '')
  const key = provider === 'compatible' ? (ai.compatible?.apiKey ?? null) : ai[provider].apiKey
  const bearer: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` }
  switch (provider) {
    case 'anthropic':
      return {
        url: `${base}/models?limit=1000`,
        headers: { 'x-api-key': key ?? '', 'anthropic-version': '2023-06-01' },
      }
    case 'google':
      return { url: `${base}/models?pageSize=1000`, headers: { 'x-goog-api-key': key ?? '' } }
    case 'openai':
    case 'mistral':
    case 'compatible':
      return { url: `${base}/models`, headers: bearer }
  }
}

class PrivateTargetError extends Error {}

/** Refuses a server on a private address, unless the operator allows those. Source: docs/contract.md, "Accounts and keys". */
export async function assertReachable(app: ReachTools, provider: RealProvider): Promise<void> {
  const server = ownServer(app.config.ai, provider)
  if (server === null) return
  const { hostname, port, protocol } = new URL(server)
  const host = hostname.replace(/^\[|\]$/g, '')
  const portOrUsual = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
  const checked = await checkTarget({ host, port: portOrUsual }, accountReach(app, null), probeTimeoutMs)
  if (checked.kind !== 'allowed') throw new PrivateTargetError(checked.message)
}

/** The SDK of a provider is loaded at its first call, since few servers use more than one. */
export async function languageModel(ai: AiConfig, entry: ModelEntry): Promise<LanguageModel> {
  const options = (name: Exclude<RealProvider, 'compatible'>) => ({
    apiKey: ai[name].apiKey ?? '',
    ...(ai[name].baseUrl === null ? {} : { baseURL: ai[name].baseUrl }),
  })
  switch (entry.provider) {
    case 'openai':
      return (await import('@ai-sdk/openai')).createOpenAI(options('openai'))(entry.model)
    case 'anthropic':
      return (await import('@ai-sdk/anthropic')).createAnthropic(options('anthropic'))(entry.model)
    case 'google':
      return (await import('@ai-sdk/google')).createGoogleGenerativeAI(options('google'))(entry.model)
    case 'mistral':
      return (await import('@ai-sdk/mistral')).createMistral(options('mistral'))(entry.model)
    case 'compatible': {
      if (ai.compatible === null) throw new Error('no server is configured')
      const { baseUrl, apiKey } = ai.compatible
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      const server = createOpenAICompatible({
        name: 'openai-compatible',
        baseURL: baseUrl,
        ...(apiKey === null ? {} : { apiKey }),
        supportsStructuredOutputs: true,
        includeUsage: true,
      })
      return server(entry.model)
    }
    case 'builtin':
      throw new Error('the drafter is no model')
  }
}
