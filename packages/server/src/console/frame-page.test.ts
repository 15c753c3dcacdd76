import fc from 'fast-check'
import { expect, test } from 'vitest'
import { framePage } from './frame-page.ts'

test('reading a message counts no open: the page contains no tracking pixel of any domain', () => {
  const host = fc.domain()
  const token = fc.stringMatching(/^[A-Za-z0-9_-]{8,40}$/)
  fc.assert(
    fc.property(host, token, fc.constantFrom('http', 'https', 'HTTPS'), (name, secret, scheme) => {
      const page = framePage(
        `<p>Hello</p><img src="${scheme}://${name}/o/${secret}"><img src="https://${name}/logo.png">`,
        'light',
      )
      expect(page).not.toContain(`/o/${secret}`)
      expect(page).toContain(`https://${name}/logo.png`)
    }),
  )
})
