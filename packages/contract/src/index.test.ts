import { build } from 'esbuild'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'

test('the contract runs in browsers without any part of Node.js', async () => {
  const { outputFiles, warnings } = await build({
    entryPoints: [join(import.meta.dirname, 'index.ts')],
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'esm',
    logLevel: 'silent',
  })
  expect(warnings).toEqual([])
  // Run in a context without the globals of Node.js.
  const text = outputFiles[0]!.text.replace(/export \{[^}]*\};?\s*$/, '')
  expect(runInNewContext(`${text}; allEndpoints.length`, { URL })).toBeGreaterThan(100)
})
