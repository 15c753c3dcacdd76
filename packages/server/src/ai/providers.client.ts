import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createMistral } from '@ai-sdk/mistral'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateObject, type LanguageModel } from 'ai'
import { z } from 'zod'
import type { AiConfig, Config } from '../platform/config.ts'
import { checkTarget } from '../platform/mail/network-guard.client.ts'
import type { ModelEntry } from './models.ts'
import { instructionsFor, type WritingTask, type Written } from './writing.ts'

const outputTokensMax = 2000
const probeTimeoutMs = 3000
const probeBytesMax = 1_000_000

const answerSchema = z.object({ body: z.string(), subjects: z.array(z.string()) })

export interface ModelAnswer {
  written: Written
  promptTokens: number
  completionTokens: number
}

/** Why a model can't be used now, or null. A provider is believed to be up when its key is set; an own server is asked. */
export async function whyUnavailable(config: Config, entry: ModelEntry): Promise<string | null> {
  if (entry.provider === 'builtin') return null
  if (entry.provider === 'compatible') return whyServerUnavailable(config)
  return config.ai[entry.provider].apiKey === null ? 'No API key is configured for this provider.' : null
}

async function whyServerUnavailable(config: Config): Promise<string | null> {
  const server = config.ai.compatible
  if (server === null) return 'No server is configured.'
  try {
    await assertReachable(config, server.baseUrl)
    const response = await fetch(`${server.baseUrl.replace(/\/+$/, '')}/models`, {
      headers: server.apiKey === null ? {} : { authorization: `Bearer ${server.apiKey}` },
      signal: AbortSignal.timeout(probeTimeoutMs),
      redirect: 'error',
    })
    if (response.status === 401 || response.status === 403) return 'The server refuses the configured key.'
    if (!response.ok) return response.status === 404 ? null : `The server answers ${response.status}.`
    const text = (await response.text()).slice(0, probeBytesMax)
    return listsModel(text, server.model) ? null : `The server does not list the model ${server.model}.`
  } catch (error) {
    return error instanceof PrivateTargetError ? error.message : 'The server does not answer.'
  }
}

// A server that lists no models at all (some do not) is taken at its word that it is up.
function listsModel(text: string, model: string): boolean {
  try {
    const listed = z.object({ data: z.array(z.object({ id: z.string() })) }).safeParse(JSON.parse(text))
    return (
      !listed.success ||
      listed.data.data.length === 0 ||
      listed.data.data.some(({ id }) => id === model || id.startsWith(`${model}:`))
    )
  } catch {
    return true
  }
}

class PrivateTargetError extends Error {}

async function assertReachable(config: Config, baseUrl: string): Promise<void> {
  const { hostname, port, protocol } = new URL(baseUrl)
  const host = hostname.replace(/^\[|\]$/g, '')
  const checked = await checkTarget(host, port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port), {
    allowPrivate: config.network.allowPrivateTargets,
    timeoutMs: probeTimeoutMs,
  })
  if (checked.kind !== 'allowed') throw new PrivateTargetError(checked.message)
}

/** Asks a real model once. Throws what the provider throws; the caller bounds the time with `signal`. */
export async function askModel(
  config: Config,
  entry: ModelEntry,
  task: WritingTask,
  ask: { signal: AbortSignal; complaint: string | null },
): Promise<ModelAnswer> {
  if (entry.provider === 'compatible' && config.ai.compatible)
    await assertReachable(config, config.ai.compatible.baseUrl)
  const { system, user } = instructionsFor(task)
  const prompt =
    ask.complaint === null ? user : `${user}\n\nYour last answer was refused: ${ask.complaint}. Mend exactly that.`
  const result = await generateObject({
    model: languageModel(config.ai, entry),
    schema: answerSchema,
    system,
    prompt,
    maxOutputTokens: outputTokensMax,
    maxRetries: 1,
    abortSignal: ask.signal,
  })
  return {
    written: {
      body: result.object.body.trim(),
      subjects: result.object.subjects.map((subject) => subject.trim()).slice(0, task.subjectCount),
    },
    promptTokens: result.usage.inputTokens ?? 0,
    completionTokens: result.usage.outputTokens ?? 0,
  }
}

function languageModel(ai: AiConfig, entry: ModelEntry): LanguageModel {
  const options = (name: 'openai' | 'anthropic' | 'google' | 'mistral') => ({
    apiKey: ai[name].apiKey ?? '',
    ...(ai[name].baseUrl === null ? {} : { baseURL: ai[name].baseUrl }),
  })
  switch (entry.provider) {
    case 'openai':
      return createOpenAI(options('openai'))(entry.model)
    case 'anthropic':
      return createAnthropic(options('anthropic'))(entry.model)
    case 'google':
      return createGoogleGenerativeAI(options('google'))(entry.model)
    case 'mistral':
      return createMistral(options('mistral'))(entry.model)
    case 'compatible': {
      if (ai.compatible === null) throw new Error('no server is configured')
      const { baseUrl, apiKey } = ai.compatible
      const server = createOpenAICompatible({
        name: 'openai-compatible',
        baseURL: baseUrl,
        ...(apiKey === null ? {} : { apiKey }),
        supportsStructuredOutputs: true,
      })
      return server(entry.model)
    }
    case 'builtin':
      throw new Error('the drafter is no model')
  }
}
