import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('files ignored by git and the git history are never copied into an image', () => {
  const lines = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8').split('\n')
  const names = (file: string) =>
    lines(file)
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.replace(/^\*\*\//, '').replaceAll(/^\/|\/$/g, ''))
  expect(names('.dockerignore')).toEqual(expect.arrayContaining(['.git', '.env*', ...names('.gitignore')]))
})
