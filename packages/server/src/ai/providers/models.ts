import type { Model } from '@overture/contract/ai/ai.ts'

/** The writer of a text: the built-in drafter, one of the known providers, or any server with OpenAI's protocol. */
export type ProviderName = 'builtin' | RealProvider
export type RealProvider = 'openai' | 'anthropic' | 'google' | 'mistral' | 'compatible'
type KnownProvider = Exclude<RealProvider, 'compatible'>

/** One line of the price list. Context in tokens. */
export interface ModelEntry {
  id: string
  name: string
  provider: ProviderName
  /** The provider's name of the model. */
  model: string
  contextWindow: number
  creditsPerGeneration: number
}

const drafterId = 'builtin/drafter'

/** One line of the list of models. A line without a price has the operator's default price. */
export interface ModelLine {
  provider: KnownProvider | 'openai-compatible'
  model: string
  name?: string | undefined
  contextWindow?: number | undefined
  creditsPerGeneration?: number | undefined
}

/** The models that are offered if the operator lists none. Context windows in tokens. */
const productLines: readonly ModelLine[] = [
  { provider: 'openai', model: 'gpt-4.1', name: 'GPT-4.1', contextWindow: 1_047_576 },
  { provider: 'openai', model: 'gpt-4.1-mini', name: 'GPT-4.1 mini', contextWindow: 1_047_576 },
  { provider: 'openai', model: 'gpt-4o-mini', name: 'GPT-4o mini', contextWindow: 128_000 },
  { provider: 'anthropic', model: 'claude-sonnet-4-5', name: 'Claude Sonnet 4.5', contextWindow: 200_000 },
  { provider: 'anthropic', model: 'claude-haiku-4-5', name: 'Claude Haiku 4.5', contextWindow: 200_000 },
  { provider: 'google', model: 'gemini-2.5-pro', name: 'Gemini 2.5 Pro', contextWindow: 1_048_576 },
  { provider: 'google', model: 'gemini-2.5-flash', name: 'Gemini 2.5 Flash', contextWindow: 1_048_576 },
  { provider: 'mistral', model: 'mistral-large-latest', name: 'Mistral Large', contextWindow: 128_000 },
  { provider: 'mistral', model: 'mistral-small-latest', name: 'Mistral Small', contextWindow: 128_000 },
]

interface ModelChoices {
  /** The lines of the operator's file. If a provider has lines there, only those models of it are offered. */
  lines: readonly ModelLine[]
  /** Model names from the environment, which replace the lines of a provider. */
  offered: Readonly<Record<KnownProvider, readonly string[]>>
  compatibleModel: string | null
  creditsPerGeneration: number
}

const unknownContextWindow = 32_000
const knownProviders = ['openai', 'anthropic', 'google', 'mistral'] as const

/** Every available model, the drafter first. */
export function modelList(choices: ModelChoices): ModelEntry[] {
  const drafter: ModelEntry = {
    id: drafterId,
    name: 'Built-in drafter (rules, no model)',
    provider: 'builtin',
    model: 'drafter',
    contextWindow: 4096,
    creditsPerGeneration: 0,
  }
  const own =
    choices.compatibleModel === null ? [] : [chooseEntry(choices, 'openai-compatible', choices.compatibleModel)]
  return [drafter, ...own, ...knownProviders.flatMap((provider) => listEntries(choices, provider))]
}

function listEntries(choices: ModelChoices, provider: KnownProvider): ModelEntry[] {
  const names = choices.offered[provider]
  if (names.length > 0) return names.map((model) => chooseEntry(choices, provider, model))
  const listed = choices.lines.filter((line) => line.provider === provider)
  const lines = listed.length > 0 ? listed : productLines.filter((line) => line.provider === provider)
  return lines.map((line) => chooseEntry(choices, provider, line.model))
}

function chooseEntry(choices: ModelChoices, provider: ModelLine['provider'], model: string): ModelEntry {
  const isModel = (line: ModelLine) => line.provider === provider && line.model === model
  const line = choices.lines.find(isModel) ?? productLines.find(isModel)
  return {
    id: `${provider}/${model}`,
    name: line?.name ?? model,
    provider: provider === 'openai-compatible' ? 'compatible' : provider,
    model,
    contextWindow: line?.contextWindow ?? unknownContextWindow,
    creditsPerGeneration: line?.creditsPerGeneration ?? choices.creditsPerGeneration,
  }
}

export function realProvider({ provider }: ModelEntry): RealProvider {
  if (provider === 'builtin') throw new Error('the drafter is no model')
  return provider
}

const providerNames: Record<ProviderName, string> = {
  builtin: 'builtin',
  openai: 'openai',
  anthropic: 'anthropic',
  google: 'google',
  mistral: 'mistral',
  compatible: 'openai-compatible',
}

export function presentModel(entry: ModelEntry, unavailableReason: string | null): Model {
  return {
    id: entry.id,
    name: entry.name,
    provider: providerNames[entry.provider],
    creditsPerGeneration: entry.creditsPerGeneration,
    contextWindow: entry.contextWindow,
    available: unavailableReason === null,
    unavailableReason,
  }
}
