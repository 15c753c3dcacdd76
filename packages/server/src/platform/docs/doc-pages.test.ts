import { expect, test } from 'vitest'
import { assets } from '../assets.shell.ts'
import { createDocumentation } from './doc-pages.shell.ts'

test('written pages need no reference, which is generated once for all readers', async () => {
  const [json] = await assets.docs.read(['openapi.json'])
  const document = JSON.parse(json!.toString('utf8')) as object
  let drawn = 0
  const documentation = createDocumentation(() => {
    drawn++
    return document
  })
  expect(await documentation.page('delivery')).toContain('# ')
  expect(await documentation.page('../README')).toBeNull()
  expect(await documentation.page('__proto__')).toBeNull()
  expect(drawn).toBe(0)
  const pages = ['errors', 'campaigns', 'nothing'].map((name) => documentation.page(`reference/${name}`))
  expect(await Promise.all(pages)).toEqual([expect.any(String), expect.any(String), null])
  expect((await documentation.pages()).map(({ name }) => name)).toContain('delivery')
  expect(drawn).toBe(1)
})
