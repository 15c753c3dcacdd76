import { charactersPerLineMax } from './rooms.ts'
import type { Module } from './source.ts'

/** Lines that are wider than a page, by file and number; what a program writes is read by programs. */
export function longLines({ path, text }: Module): string[] {
  if (path.includes('/generated/')) return []
  return text
    .split('\n')
    .map((line, index) => ({ length: line.length, number: index + 1 }))
    .filter(({ length }) => length > charactersPerLineMax)
    .map(({ length, number }) => `${path}:${number}: ${length} characters`)
}
