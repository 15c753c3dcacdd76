import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { TestServer } from '@overture/testing/server.ts'
import { startWholeServer } from '@overture/testing/server/whole-server.ts'
import { hasChromium, launchChromium } from '@overture/testing/chromium.ts'
import { lacks } from '@overture/testing/tools.ts'

// Each test builds, installs or runs whole programs.
vi.setConfig({ testTimeout: 300_000 })

const renderMs = 60_000

describe.skipIf(lacks('Chromium', hasChromium))('/docs/api in a browser', () => {
  let server: TestServer
  let browser: Browser
  beforeAll(async () => {
    server = await startWholeServer()
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await server.stop()
  })

  test('renders every area, contacts no other server, and "try it" works with a test key', async () => {
    const page = await browser.newPage()
    page.setDefaultTimeout(renderMs)
    const problems: string[] = []
    const elsewhere: string[] = []
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url())
      if (protocol.startsWith('http') && origin !== server.url) elsewhere.push(request.url())
    })
    await page.goto(`${server.url}/docs/api`)
    await page.locator('.opblock-tag').first().waitFor()
    expect(await page.locator('.opblock-tag').count()).toBeGreaterThan(15)

    await page.getByRole('button', { name: 'Authorize' }).first().click()
    await page.locator('#auth-bearer-value').fill(server.keys.test)
    await page.locator('.auth-btn-wrapper button.authorize').first().click()
    await page.locator('.auth-btn-wrapper button.btn-done').first().click()

    await page.locator('.opblock-tag[data-tag="Account"]').click()
    await page.locator('#operations-Account-getAccount .opblock-summary-control').click()
    await page.locator('#operations-Account-getAccount button.execute').click()
    const answer = page.locator('#operations-Account-getAccount .live-responses-table')
    await answer.waitFor()
    const answerText = (await answer.innerText()).replaceAll(/\s+/g, ' ')
    expect(answerText).toContain('200')
    expect(answerText).toContain(server.testTenant.accountId)
    expect(answerText).toContain('"environment": "test"')
    expect(answerText.toLowerCase()).toContain('x-ratelimit-remaining')
    expect([problems, elsewhere]).toEqual([[], []])
  })
})
