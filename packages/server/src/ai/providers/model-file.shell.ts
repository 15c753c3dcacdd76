import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { type AiConfig, ConfigError } from '../../platform/config.ts'
import type { ModelLine } from './models.ts'

const fileSchema = z.array(
  z.strictObject({
    provider: z.enum(['openai', 'anthropic', 'google', 'mistral', 'openai-compatible']),
    model: z.string().min(1).max(150),
    name: z.string().min(1).max(200).optional(),
    contextWindow: z.number().int().min(1).optional(),
    creditsPerGeneration: z.number().int().min(0).max(1000).optional(),
  }),
)

const read = new WeakMap<AiConfig, readonly ModelLine[]>()

/** The operator's list of models, read once per process. Throws ConfigError when the process starts. */
export function modelLines(ai: AiConfig): readonly ModelLine[] {
  const known = read.get(ai)
  if (known !== undefined) return known
  const lines = ai.modelsFile === null ? [] : readModelFile(ai.modelsFile)
  read.set(ai, lines)
  return lines
}

function readModelFile(path: string): readonly ModelLine[] {
  let parsed
  try {
    parsed = fileSchema.safeParse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    throw new ConfigError([`OVERTURE_AI_MODELS_FILE: ${(error as Error).message}`])
  }
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  throw new ConfigError(problems.map((problem) => `OVERTURE_AI_MODELS_FILE: ${problem}`))
}
