import type { PreflightWarning } from '@overture/contract/delivery/preflight.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { TemplateRenderer } from '../../templates/index.ts'
import { otherSpellings } from '../../templates/language/other-spellings.ts'
import { unknownNames } from '../../templates/language/unknown-names.ts'

interface StepTexts {
  id: string
  variants: readonly { subject: string; body: string; enabled: boolean }[]
}

interface WrittenSteps {
  steps: readonly StepTexts[]
  /** The number of leads that lack a value, per variable. */
  lacking: ReadonlyMap<string, number>
  /** The custom variables of the campaign's leads. */
  customNames: readonly string[]
}

/** Warns about names that no lead has, and about tags that would be sent as they are. */
export async function textWarnings(
  renderer: TemplateRenderer,
  tenant: Tenant,
  written: WrittenSteps & { hasLeads: boolean },
): Promise<PreflightWarning[]> {
  const { steps, customNames, hasLeads } = written
  const unknown = hasLeads ? await unknownWarnings(renderer, tenant, written) : []
  return [...unknown, ...spellingWarnings(steps, customNames)]
}

async function unknownWarnings(
  renderer: TemplateRenderer,
  tenant: Tenant,
  { steps, lacking, customNames }: WrittenSteps,
): Promise<PreflightWarning[]> {
  const known = new Set<string>()
  const warnings: PreflightWarning[] = []
  for (const [at, step] of steps.entries()) {
    const names = await Promise.all(
      enabledTexts(step).map(({ subject, body }) => renderer.names(tenant, [subject, body])),
    )
    for (const { name, meant } of unknownNames([...new Set(names.flat())], customNames)) {
      if (known.has(name)) continue
      known.add(name)
      const advice =
        meant === null ? 'Check its spelling, or import a column with this name.' : `Did you mean ${meant}?`
      const message = `Step ${at + 1} uses ${name}, and no lead has a value for it. ${advice}`
      warnings.push({ code: 'unknown_variable', message, ref: name, count: lacking.get(name) ?? 0 })
    }
  }
  return warnings
}

/** The first place of each step that would be sent as it stands, because it is written in the way of another product. */
function spellingWarnings(steps: readonly StepTexts[], customNames: readonly string[]): PreflightWarning[] {
  return steps.flatMap((step, index) => {
    const texts = enabledTexts(step).flatMap(({ subject, body }) => [subject, body])
    const [first] = texts.flatMap((text) => otherSpellings(text, customNames))
    if (first === undefined) return []
    const message = `Step ${index + 1}: ${first.message}`
    return [{ code: 'other_spelling' as const, message, ref: step.id, count: null }]
  })
}

function enabledTexts({ variants }: StepTexts) {
  return variants.filter(({ enabled }) => enabled)
}
