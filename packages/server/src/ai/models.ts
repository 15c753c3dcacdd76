import type { Model } from '@overture/contract/ai.ts'

/** Who writes: the built-in drafter, one of the known providers, or any server that speaks OpenAI's protocol. */
export type ProviderName = 'builtin' | 'openai' | 'anthropic' | 'google' | 'mistral' | 'compatible'

/** One line of the price list. Context in tokens. */
export interface ModelEntry {
  id: string
  name: string
  provider: ProviderName
  /** The provider's own name of the model. */
  model: string
  contextWindow: number
  creditsPerGeneration: number
}

export const drafterId = 'builtin/drafter'

const defaults: Record<
  'openai' | 'anthropic' | 'google' | 'mistral',
  readonly (readonly [model: string, name: string, context: number])[]
> = {
  openai: [
    ['gpt-4.1', 'GPT-4.1', 1_047_576],
    ['gpt-4.1-mini', 'GPT-4.1 mini', 1_047_576],
    ['gpt-4o-mini', 'GPT-4o mini', 128_000],
  ],
  anthropic: [
    ['claude-sonnet-4-5', 'Claude Sonnet 4.5', 200_000],
    ['claude-haiku-4-5', 'Claude Haiku 4.5', 200_000],
  ],
  google: [
    ['gemini-2.5-pro', 'Gemini 2.5 Pro', 1_048_576],
    ['gemini-2.5-flash', 'Gemini 2.5 Flash', 1_048_576],
  ],
  mistral: [
    ['mistral-large-latest', 'Mistral Large', 128_000],
    ['mistral-small-latest', 'Mistral Small', 128_000],
  ],
}

export interface ModelChoices {
  /** Model names that the operator offers instead of the defaults, by provider. */
  offered: Readonly<Record<'openai' | 'anthropic' | 'google' | 'mistral', readonly string[]>>
  compatibleModel: string | null
  creditsPerGeneration: number
}

const unknownContextWindow = 32_000

/** Every model that can be asked for, the drafter first. */
export function modelList(choices: ModelChoices): ModelEntry[] {
  const { creditsPerGeneration } = choices
  const drafter: ModelEntry = {
    id: drafterId,
    name: 'Built-in drafter (rules, no model)',
    provider: 'builtin',
    model: 'drafter',
    contextWindow: 4096,
    creditsPerGeneration: 0,
  }
  const known = (['openai', 'anthropic', 'google', 'mistral'] as const).flatMap((provider) => {
    const offered = choices.offered[provider]
    const models =
      offered.length === 0 ? defaults[provider] : offered.map((name) => [name, name, unknownContextWindow] as const)
    return models.map(([model, name, contextWindow]) => ({
      id: `${provider}/${model}`,
      name,
      provider,
      model,
      contextWindow,
      creditsPerGeneration,
    }))
  })
  const own: ModelEntry[] =
    choices.compatibleModel === null
      ? []
      : [
          {
            id: `openai-compatible/${choices.compatibleModel}`,
            name: choices.compatibleModel,
            provider: 'compatible',
            model: choices.compatibleModel,
            contextWindow: unknownContextWindow,
            creditsPerGeneration,
          },
        ]
  return [drafter, ...own, ...known]
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
