import { CommandError } from '../output.ts'

/** The object that a file holds; `like` says in a refusal what is wanted. */
export function parseObject(text: string, { file, like }: { file: string; like: string }): Record<string, unknown> {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    throw new CommandError(`${file} is not JSON.`)
  }
  if (!isObject(content)) throw new CommandError(`${file}: an object is needed, ${like}.`)
  return content
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
