import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'

/** The same engine without windows needs a third less CPU time per page, so tests prefer it. */
const programs = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

/** The Chromium that tests start: `CHROMIUM_PATH`, or the first one that Debian's packages installed. */
export const chromiumPath = process.env['CHROMIUM_PATH'] ?? programs.find((path) => existsSync(path)) ?? programs[0]!

export const hasChromium = existsSync(chromiumPath)

/** Chromium as root has no sandbox, and it must call no server of its vendor. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--no-first-run',
  '--disable-component-update',
  '--disable-sync',
]

export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath, args: chromiumFlags })
}
