const charactersMax = 72
/** Verbs in base form that end as others do in the third person or the past. */
const baseForms =
  /^(?:pass|process|address|press|discuss|focus|embed|feed|need|speed|seed|exceed|proceed|bring|string|ring)$/i

/** What is wrong with the subject of a commit, or null. */
export function subjectProblem(subject: string): string | null {
  if (subject.length > charactersMax)
    return `A subject has ${charactersMax} characters at most, this one ${subject.length}.`
  if (subject.endsWith('.')) return 'A subject has no full stop.'
  const [verb = ''] = subject.replace(/^[\w./-]+: /, '').split(' ')
  if (baseForms.test(verb)) return null
  const isOther = /(?:[^s]s|ed|ing)$/i.test(verb) || /^(?:the|a|an|what|who|of|no|it|each)$/i.test(verb)
  return isOther ? `A subject begins with a verb in base form, not with "${verb}".` : null
}
