import type { ValidationIssue } from '@overture/contract/errors.ts'
import { findCustomName, isStandard, toStandardName } from '@overture/ground/text/variable-names.ts'

const variablePattern = /\{\{\s*([A-Za-z_][A-Za-z0-9_.]*)\s*(?:\|[^{}]{0,200})?\}\}/g

/** The variables that a prompt uses, in order of first use. */
export function variablesIn(prompt: string): string[] {
  return [...new Set(Array.from(prompt.matchAll(variablePattern), (match) => match[1] ?? ''))]
}

/** Variables must be well-formed, and if a list is declared, it must contain every used variable. The issue names the missing ones. */
export function variableIssues(prompt: string, declared: readonly string[] | undefined): ValidationIssue[] {
  const isBroken = /\{\{|\}\}|\{%|%\}/.test(prompt.replace(variablePattern, ''))
  const message = 'Use only variable names in double braces, such as {{ firstName }}.'
  const undeclared = declared === undefined ? [] : variablesIn(prompt).filter((name) => !declared.includes(name))
  return [
    ...(isBroken ? [{ path: 'prompt', rule: 'template', message }] : []),
    ...undeclared.map((name) => ({
      path: 'variables',
      rule: 'declared',
      message: `The prompt uses {{ ${name} }}. Add it to the variables of the preset.`,
    })),
  ]
}

/** The issues of a prompt in a request body of any shape, before the preset is loaded. */
export function sentPromptIssues(sent: unknown): ValidationIssue[] {
  const prompt = (sent as { prompt?: unknown } | null | undefined)?.prompt
  return typeof prompt === 'string' ? variableIssues(prompt, undefined) : []
}

/** The prompt with the lead's facts filled in. A missing fact is replaced by its default, or by nothing. */
export function fillPrompt(prompt: string, facts: ReadonlyMap<string, string>): string {
  return replaceVariables(prompt, (name) => facts.get(findFactName(name, facts)))
}

/** The prompt as the model gets it. It contains the names of facts instead of their values, so that a lead's data can't give orders. */
export function namePromptFacts(prompt: string, facts: ReadonlyMap<string, string>): string {
  return replaceVariables(prompt, (name) => {
    const fact = findFactName(name, facts)
    return facts.has(fact) ? `[[${fact}]]` : undefined
  })
}

/** The fact that a name means. Names are read as in templates: without case and underscores, a standard field first. */
function findFactName(name: string, facts: ReadonlyMap<string, string>): string {
  if (facts.has(name)) return name
  if (isStandard(name)) return toStandardName(name)
  return findCustomName(name, [...facts.keys()]) ?? name
}

const defaultPattern = /\|\s*default:\s*(?:"([^"]*)"|'([^']*)')/

function replaceVariables(prompt: string, valueOf: (name: string) => string | undefined): string {
  return prompt
    .replace(variablePattern, (match, name: string) => {
      const [, double, single] = defaultPattern.exec(match) ?? []
      return valueOf(name.replace(/^customVariables\./, '')) ?? double ?? single ?? ''
    })
    .replace(/ {2,}/g, ' ')
}

interface StarterPreset {
  name: string
  description: string
  category: string
  prompt: string
}

/** The presets of every new environment. */
export const starterPresets: readonly StarterPreset[] = [
  {
    name: 'Cold opener',
    description: 'A first message about the recipient.',
    category: 'opener',
    prompt:
      'Write a first e-mail to {{ firstName }}, {{ jobTitle }} at {{ company }}. Open with one sentence about ' +
      'their situation, then one problem that people in their role know, then one question they can answer in a ' +
      'line. No flattery, no buzzwords, under 90 words.',
  },
  {
    name: 'Follow-up',
    description: 'A second message that adds a new thought.',
    category: 'follow_up',
    prompt:
      'Write a short follow-up to {{ firstName }} at {{ company }}, who has not answered. Do not say that you are ' +
      'following up. Add one new, useful thought to the same topic and end with an easy question. Under 60 words.',
  },
  {
    name: 'Breakup',
    description: 'The last message: kind, brief, no guilt.',
    category: 'breakup',
    prompt:
      'Write the last e-mail to {{ firstName }} at {{ company }}. Say kindly that you will not write again, leave ' +
      'the door open in one sentence, and wish them well. No guilt, under 50 words.',
  },
  {
    name: 'Reply to an objection',
    description: 'Replies to a "no" without arguing.',
    category: 'reply',
    prompt:
      'Write an answer to {{ firstName }} at {{ company }}, who said that now is not the time. Accept it, ask one ' +
      'question that helps to know when would be, and offer to leave them alone. Under 70 words.',
  },
  {
    name: 'Subject lines',
    description: 'Short, plain subject lines.',
    category: 'subject',
    prompt:
      'Write subject lines for a first e-mail to {{ firstName }} at {{ company }}: three to six plain words, no ' +
      'capitals for effect, no question bait, nothing that pretends to be an answer.',
  },
]
