import { codeAt } from '@overture/server/team/totp.ts'
import decodeQR from 'qr/decode.js'
import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { owner } from '@overture/testing/console/console.ts'
import { enter, write } from '@overture/testing/console/keyboard.ts'
import { holds } from '@overture/testing/console/holds.ts'
import type { WatchedPage } from '@overture/testing/console/watched-page.ts'
import { describeConsole } from '@overture/testing/console/world.ts'

const stepMs = 30_000
const pixelsPerModule = 4

describeConsole('two-step sign-in', (world) => {
  test('is set up with a QR code, required at sign-in, passed with a recovery code, and removed', async () => {
    const { url } = world()
    const page = await world().page()
    page.expectProblem(/status of 40[01]/)
    await page.goto(`${url}/app/test/settings/profile`)
    await page.getByRole('button', { name: 'Set up an authenticator' }).click()
    const dialog = page.getByRole('dialog', { name: 'Set up an authenticator' })
    await dialog.getByLabel('Your password').fill(owner.password)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    const scanned = new URL(await readPicture(page))
    const key = scanned.searchParams.get('secret')!
    expect(await dialog.locator('code').innerText()).toBe(key)
    expect(decodeURIComponent(scanned.pathname)).toContain(owner.email)
    await dialog.getByRole('textbox', { name: 'Code' }).fill('not a code')
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    await holds(async () => (await dialog.locator('[aria-invalid=true], [role=alert]').count()) > 0)
    // Each code works once. The code of the next time step is accepted too, and the sign-in below uses it.
    await dialog.getByRole('textbox', { name: 'Code' }).fill(codeAt(fromBase32(key), Date.now()))
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    const codesDialog = page.getByRole('dialog', { name: 'Save your recovery codes' })
    await codesDialog.getByRole('listitem').first().waitFor()
    const codes = await codesDialog.getByRole('listitem').allInnerTexts()
    expect(new Set(codes).size).toBe(10)
    await codesDialog.getByRole('button', { name: 'Copy codes' }).click()
    await codesDialog.getByText('Copied').waitFor()
    await codesDialog.getByRole('button', { name: 'I saved them' }).click()
    await page.getByRole('button', { name: 'Remove the authenticator' }).waitFor()
    const left = await page.content()
    expect([key, ...codes].filter((secret) => left.includes(secret))).toEqual([])

    const byCode = await world().page({ signedIn: false })
    byCode.expectProblem(/status of 401/)
    await signIn(byCode)
    await byCode.getByRole('button', { name: 'Sign in' }).click()
    await byCode.getByText('A code from your authenticator is required, too.').waitFor()
    await byCode.getByLabel('Code').fill(codeAt(fromBase32(key), Date.now() + stepMs))
    await byCode.getByRole('button', { name: 'Sign in' }).click()
    await byCode.getByRole('heading', { name: 'Home', level: 1 }).waitFor()

    const byRecovery = await world().page({ signedIn: false })
    byRecovery.expectProblem(/status of 401/)
    await signIn(byRecovery)
    await byRecovery.getByLabel('Code').fill(codes[0]!)
    await byRecovery.getByRole('button', { name: 'Sign in' }).click()
    await byRecovery.getByRole('heading', { name: 'Home', level: 1 }).waitFor()

    await page.getByRole('button', { name: 'Remove the authenticator' }).click()
    const confirmation = page.getByRole('alertdialog')
    await confirmation.getByRole('textbox').or(confirmation.getByLabel('Your password')).first().fill(owner.password)
    await confirmation.getByRole('button', { name: 'Remove the authenticator' }).click()
    await page.getByRole('button', { name: 'Set up an authenticator' }).waitFor()
  })

  test('is set up without a mouse, says what is wrong, and keeps no secret when a dialog is closed', async () => {
    const page = await world().page()
    page.expectProblem(/status of 400/)
    await page.goto(`${world().url}/app/test/settings/profile`)
    const opener = page.getByRole('button', { name: 'Set up an authenticator' })
    const dialog = page.getByRole('dialog', { name: 'Set up an authenticator' })
    const proof = dialog.getByLabel('Your password or authenticator code')
    await enter(page, opener)
    await holds(() => proof.evaluate((field) => field === field.ownerDocument.activeElement))
    await page.keyboard.press('Enter')
    await dialog.getByText('Enter your password or a code from your authenticator.').waitFor()
    await isMarked(proof)
    await write(page, proof, 'not my password')
    await page.keyboard.press('Enter')
    await dialog.getByText('The password is wrong.').waitFor()
    expect(await dialog.innerText()).not.toContain('confirm')
    expect(await page.accessibility()).toEqual([])
    await write(page, proof, owner.password)
    await page.keyboard.press('Enter')

    const code = dialog.getByRole('textbox', { name: 'Code' })
    await code.waitFor()
    const key = await dialog.locator('code').innerText()
    expect(await page.accessibility()).toEqual([])
    await write(page, code, '12')
    await page.keyboard.press('Enter')
    await isMarked(code)
    await write(page, code, wrongCode(key))
    await page.keyboard.press('Enter')
    await dialog.getByText('The code is wrong. Enter the code that the authenticator shows now.').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await holds(() => opener.evaluate((button) => button === button.ownerDocument.activeElement))
    const left = await page.content()
    expect([key, owner.password].filter((secret) => left.includes(secret))).toEqual([])

    await enter(page, opener)
    expect([await proof.inputValue(), await dialog.getByRole('alert').count()]).toEqual(['', 0])
    await write(page, proof, owner.password)
    await page.keyboard.press('Enter')
    await code.waitFor()
    const second = await dialog.locator('code').innerText()
    expect(second).not.toBe(key)
    await write(page, code, codeAt(fromBase32(second), Date.now()))
    await page.keyboard.press('Enter')
    const saved = page.getByRole('dialog', { name: 'Save your recovery codes' })
    expect(await page.accessibility()).toEqual([])
    await enter(page, saved.getByRole('button', { name: 'I saved them' }))

    const remove = page.getByRole('button', { name: 'Remove the authenticator' })
    const asked = page.getByRole('alertdialog', { name: 'Remove the authenticator?' })
    const again = asked.getByLabel('Your password or authenticator code')
    await enter(page, remove)
    await write(page, again, 'not my password')
    await enter(page, asked.getByRole('button', { name: 'Remove the authenticator' }))
    await asked.getByText('The password is wrong.').waitFor()
    expect(await asked.innerText()).not.toContain('confirm')
    await page.keyboard.press('Escape')
    await asked.waitFor({ state: 'hidden' })
    await enter(page, remove)
    expect([await again.inputValue(), await asked.getByRole('alert').count()]).toEqual(['', 0])
    await write(page, again, owner.password)
    await enter(page, asked.getByRole('button', { name: 'Remove the authenticator' }))
    await opener.waitFor()
  })

  async function isMarked(field: Locator): Promise<void> {
    await holds(async () => (await field.getAttribute('aria-invalid')) === 'true')
  }

  async function signIn(page: WatchedPage): Promise<void> {
    await page.goto(`${world().url}/app/sign-in`)
    await page.getByLabel('Email').fill(owner.email)
    await page.getByLabel('Password').fill(owner.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    const code = page.getByLabel('Code')
    await code.waitFor()
    await holds(() => code.evaluate((field) => field === field.ownerDocument.activeElement))
  }
})

/** Six digits that are the code of no time step near now. */
function wrongCode(key: string): string {
  const now = Date.now()
  const near = [-2, -1, 0, 1, 2].map((steps) => codeAt(fromBase32(key), now + steps * stepMs))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code))!
}

/** Decodes the QR code as a phone does. */
async function readPicture(page: WatchedPage): Promise<string> {
  const picture = page.getByRole('img', { name: 'QR code with the key for your authenticator' })
  const [, , size] = (await picture.getAttribute('viewBox'))!.split(' ').map(Number)
  const side = size! * pixelsPerModule
  const data = new Uint8ClampedArray(side * side * 4).fill(255)
  for (const [, x, y] of (await picture.locator('path').getAttribute('d'))!.matchAll(/M(\d+) (\d+)/g))
    for (let at = 0; at < pixelsPerModule ** 2; at++) {
      const column = Number(x) * pixelsPerModule + (at % pixelsPerModule)
      const row = Number(y) * pixelsPerModule + Math.floor(at / pixelsPerModule)
      data.fill(0, (row * side + column) * 4, (row * side + column) * 4 + 3)
    }
  return decodeQR({ width: side, height: side, data })
}

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (one) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(one).toString(2).padStart(5, '0'),
  ).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
