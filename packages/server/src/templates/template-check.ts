import type { Template } from 'liquidjs'
import { isHtml } from '@overture/ground/text/is-html.ts'
import { htmlToText } from '@overture/ground/text/text-html.ts'
import { describe, parsed, plain, type Scope } from './dialect.ts'
import { variableNames, renderTemplate, withPlaceholder, type TemplateResult } from './template.ts'
import type { TemplatePart } from './template-text.ts'

const sampleMsMax = 20
/**
 * A sample is rendered up to this many times, and the fastest run counts: the first one includes compilation, and a busy machine
 * can slow any of them.
 */
const sampleTriesMax = 5
const partsMax = 1_000
const depthMax = 20
const rangeMax = 1_000

/** The variables that every lead has; others may be blank. */
const bareSample: Scope = {
  email: 'lead@example.com',
  sender: { email: 'sender@example.com', fromName: 'Sample' },
  unsubscribeUrl: 'https://example.com/u/sample',
}

/**
 * Returns why a new template must be refused, or null if it can be sent. It must parse, its size and depth must be plausible for
 * a mail, and it must render quickly for a lead with all fields and for a lead with none.
 */
export function templateProblem(part: TemplatePart, text: string, threadTimeMs: () => number): string | null {
  try {
    return shapeProblem(text) ?? sampleProblem(part, text, threadTimeMs)
  } catch (error) {
    return describe(error)
  }
}

function shapeProblem(text: string): string | null {
  const range = longRange(text)
  if (range !== null) return `The range ${range} has more than ${rangeMax} steps.`
  const { parts, levels } = measureShape(parsed(plain, text))
  if (parts > partsMax) return `A template can have ${partsMax} tags, variables and pieces of text at most.`
  return levels > depthMax + 1 ? `Tags can be nested ${depthMax} levels deep at most.` : null
}

// The innermost level is the text inside the innermost tags.
function measureShape(templates: readonly Template[]): { parts: number; levels: number } {
  let parts = 0
  let levels = 0
  for (let level = templates; level.length > 0 && levels <= depthMax + 1; level = level.flatMap(listChildren)) {
    parts += level.length
    levels += 1
  }
  return { parts, levels }
}

function listChildren(template: Template): Template[] {
  const steps = template.children?.(false, true)
  if (steps === undefined) return []
  let step = steps.next()
  while (step.done !== true) step = steps.next(step.value)
  return step.value
}

/** The first range between literal numbers that is too long. Ranges between variables are stopped by the step limit of rendering. */
function longRange(text: string): string | null {
  for (const [range, first, last] of text.matchAll(/\(\s*(-?\d+)\s*\.\.\s*(-?\d+)\s*\)/g)) {
    if (Number(last) - Number(first) >= rangeMax) return range
  }
  return null
}

function sampleProblem(part: TemplatePart, text: string, threadTimeMs: () => number): string | null {
  const full = variableNames(text).reduce(withPlaceholder, bareSample)
  for (const scope of [full, bareSample]) {
    const { result, tookMs } = quickest(text, scope, { asHtml: part === 'body' && isHtml(text), threadTimeMs })
    if (result.kind === 'template_error') return result.message
    if (tookMs > sampleMsMax) return `The template takes more than ${sampleMsMax} ms to render. Shorten it.`
  }
  return null
}

function quickest(
  text: string,
  scope: Scope,
  { asHtml, threadTimeMs }: { asHtml: boolean; threadTimeMs: () => number },
): { result: TemplateResult; tookMs: number } {
  let tookMs = Number.POSITIVE_INFINITY
  let result: TemplateResult
  let tries = 0
  do {
    const startedMs = threadTimeMs()
    result = renderTemplate(text, scope, { seed: '', html: asHtml })
    if (asHtml && result.kind === 'rendered') htmlToText(result.text)
    tookMs = Math.min(tookMs, threadTimeMs() - startedMs)
    tries += 1
  } while (tookMs > sampleMsMax && tries < sampleTriesMax)
  return { result, tookMs }
}
