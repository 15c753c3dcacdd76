import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageKey, type UsedPackage } from './packages-used.ts'

const legal = /^(?:licen[cs]e|copying|notice)(?:[-.].*)?$/i

/** The authors and licenses of all bundled packages. */
export function writeNotices(used: readonly UsedPackage[]): string {
  const texts = new Map<string, UsedPackage[]>()
  for (const dependency of used) {
    const text = legalText(dependency.folder)
    texts.set(text, [...(texts.get(text) ?? []), dependency])
  }
  const parts = [...texts].map(([text, packages]) => {
    const heads = packages.map((one) => `${packageKey(one)} (${one.license})`)
    return `${heads.join('\n')}\n\n${text === '' ? 'Its package brings no text of its license along.' : text}`
  })
  return `Overture contains code of these packages, under the terms below their names.\n\n${parts.join(`\n\n${line}\n\n`)}\n`
}

const line = '-'.repeat(80)

function legalText(folder: string): string {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile() && legal.test(entry.name))
  const texts = files.map(({ name }) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim())
  return texts.toSorted().join('\n\n')
}
