import { htmlToText } from '@overture/ground/text/text-html.ts'
import { renderMessage, renderParts, type RenderInput, type RenderResult } from './render.ts'
import type { Scope } from './dialect.ts'
import { toStandardName } from '@overture/ground/text/variable-names.ts'
import { templateProblem } from './template-check.ts'
import { missingVariables, variableNames } from './template.ts'
import type { TemplatePart } from './template-text.ts'

/** A task for a rendering thread about one text or message. */
export type RenderItem =
  | { kind: 'message'; input: RenderInput }
  | { kind: 'parts'; template: { subject: string; body: string }; scope: Scope; seed: string }
  | { kind: 'missing'; texts: readonly string[]; scope: Scope }
  | { kind: 'names'; texts: readonly string[] }
  | { kind: 'check'; part: TemplatePart; text: string }
  | { kind: 'html'; html: string }

export type RenderAnswer =
  | { kind: 'content'; content: RenderResult }
  | { kind: 'names'; names: string[] }
  | { kind: 'problem'; problem: string | null }
  | { kind: 'text'; text: string | null }

export function answerRenderItem(item: RenderItem, threadTimeMs: () => number): RenderAnswer {
  switch (item.kind) {
    case 'message':
      return { kind: 'content', content: renderMessage(item.input) }
    case 'parts':
      return { kind: 'content', content: renderParts(item.template, item.scope, item.seed) }
    case 'missing':
      return { kind: 'names', names: namesOrNone(item.texts, item.scope) }
    case 'names':
      return { kind: 'names', names: allNames(item.texts) }
    case 'check':
      return { kind: 'problem', problem: templateProblem(item.part, item.text, threadTimeMs) }
    case 'html':
      return { kind: 'text', text: textOrNull(item.html) }
  }
}

// If a text can't be rendered, no name is reported as missing: the send reports that error.
function namesOrNone(texts: readonly string[], scope: Scope): string[] {
  try {
    return missingVariables(texts, scope)
  } catch {
    return []
  }
}

function allNames(texts: readonly string[]): string[] {
  try {
    return [...new Set(texts.flatMap(variableNames).map(toStandardName))]
  } catch {
    return []
  }
}

function textOrNull(html: string): string | null {
  try {
    return htmlToText(html)
  } catch {
    return null
  }
}

/** The texts that determine the cost of an item. */
export function itemTexts(item: RenderItem): readonly string[] {
  switch (item.kind) {
    case 'message':
      return [item.input.template.subject, item.input.template.body]
    case 'parts':
      return [item.template.subject, item.template.body]
    case 'missing':
    case 'names':
      return item.texts
    case 'check':
      return [item.text]
    case 'html':
      return [item.html]
  }
}
