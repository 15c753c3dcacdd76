import { CommandError } from '../output.ts'

/** Parses the object in a file. `like` describes the expected form in the error. */
export function parseObject(text: string, { file, like }: { file: string; like: string }): Record<string, unknown> {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    throw new CommandError(`${file} is not JSON.`)
  }
  if (!isObject(content)) throw new CommandError(`${file}: Use a JSON object, ${like}.`)
  return content
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
