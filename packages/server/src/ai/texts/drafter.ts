import { sequence } from '@overture/ground/text/patterns.ts'
import { listFacts, type WritingTask, type WrittenEmail } from './writing.ts'

/**
 * The built-in writer: rules without a model, free, with the same answer for the same task. It turns the prompt into plain
 * sentences with the lead's facts, which is enough to try and test the product.
 */
export function draft(task: WritingTask): WrittenEmail {
  const facts = new Map(listFacts(task.lead))
  const choose = chooser(task.seed)
  const words = wording(task.language)
  const name = facts.get('firstName')
  const company = facts.get('company')
  const greeting = name ? `${words.hello} ${name},` : `${words.helloPlain},`
  const opening = openingLine(facts, words, choose)
  const subjects = subjectLines({ task, name, company, words, choose })
  if (task.kind === 'opening') return { body: opening, subjects }
  if (task.kind === 'subject') return { body: words.about(promptTopic(task.filledPrompt)), subjects }
  const paragraphs = [
    greeting,
    opening,
    words.purpose(promptTopic(task.filledPrompt)),
    ...(task.length === 'short' ? [] : [words.value(company)]),
  ]
  if (task.length === 'long') paragraphs.push(words.more)
  return { body: [...paragraphs, choose(words.asks)].join('\n\n'), subjects }
}

interface Wording {
  hello: string
  helloPlain: string
  openings: ((title: string | undefined, company: string | undefined) => string)[]
  purpose: (topic: string) => string
  about: (topic: string) => string
  value: (company: string | undefined) => string
  more: string
  asks: string[]
  subjects: ((name: string | undefined, company: string | undefined, topic: string) => string)[]
}

const english: Wording = {
  hello: 'Hi',
  helloPlain: 'Hello',
  openings: [
    (title, company) => `I came across ${company ?? 'your work'} and thought of you${title ? ` as ${title}` : ''}.`,
    (title, company) =>
      `${title ? `As ${title}` : 'In your role'}${company ? ` at ${company}` : ''} you probably hear many pitches, so I will be brief.`,
    (_title, company) => `I have been reading about ${company ?? 'what you do'} and had one question.`,
  ],
  purpose: (topic) => `The reason I write: ${topic}.`,
  about: (topic) => `This is about: ${topic}.`,
  value: (company) => `If that is of use to ${company ?? 'your team'}, I am glad to show how it could look for you.`,
  more: 'I would keep it to what matters to you, answer your questions, and leave it there if it is not a fit.',
  asks: ['Would a short call next week suit you?', 'Is this worth a quick look?', 'Shall I send you the details?'],
  subjects: [
    (name, _company, topic) => (name ? `${name}, ${topic}` : topic),
    (_name, company) => (company ? `An idea for ${company}` : 'An idea for your team'),
    (_name, company) => (company ? `${company} and us` : 'A quick question'),
    (name) => (name ? `A question for you, ${name}` : 'A question for you'),
    (_name, company) => (company ? `Worth a look, ${company}?` : 'Worth a look?'),
  ],
}

const german: Wording = {
  hello: 'Hallo',
  helloPlain: 'Guten Tag',
  openings: [
    (_title, company) => `ich bin auf ${company ?? 'Ihre Arbeit'} gestoßen und habe an Sie gedacht.`,
    (_title, company) => `ich fasse mich kurz, denn${company ? ` bei ${company}` : ''} haben Sie sicher viel zu tun.`,
  ],
  purpose: (topic) => `Der Grund meiner Nachricht: ${topic}.`,
  about: (topic) => `Es geht um: ${topic}.`,
  value: (company) =>
    `Wenn das für ${company ?? 'Ihr Team'} nützlich ist, zeige ich gern, wie es bei Ihnen aussehen könnte.`,
  more: 'Ich beschränke mich auf das, was für Sie zählt, und beantworte gern Ihre Fragen.',
  asks: ['Passt Ihnen ein kurzes Gespräch nächste Woche?', 'Darf ich Ihnen die Einzelheiten schicken?'],
  subjects: [
    (name, _company, topic) => (name ? `${name}, ${topic}` : topic),
    (_name, company) => (company ? `Eine Idee für ${company}` : 'Eine Idee für Ihr Team'),
    (name) => (name ? `Eine Frage an Sie, ${name}` : 'Eine Frage an Sie'),
    () => 'Einen Blick wert?',
    (_name, company) => (company ? `${company} und wir` : 'Eine kurze Frage'),
  ],
}

function wording(language: string | null): Wording {
  return language !== null && /^(de|german|deutsch)/i.test(language) ? german : english
}

const topicLengthMax = 90

const order = sequence(
  [
    /^(?:please )?/,
    ['write', 'draft', 'compose', 'create', 'generate'],
    ' ',
    /(?:me )?(?:a|an|the|one|two|three|some)? ?[^.]{0,60}?/,
    /\b(?:about|for|on|to|that|inviting|introducing)\b /,
  ],
  'i',
)

// The topic is the prompt's first sentence without its instruction ("Write an e-mail about …").
function promptTopic(prompt: string): string {
  const first = prompt.replace(/\s+/g, ' ').split(/(?<=[.!?])\s/)[0] ?? ''
  const bare = first
    .replace(order, '')
    .replace(/[.!?:;,\s]+$/, '')
    .replace(/[{}[\]<>]/g, '')
  const cut = bare.length <= topicLengthMax ? bare : bare.slice(0, bare.lastIndexOf(' ', topicLengthMax))
  return cut === '' ? 'a short introduction' : cut.charAt(0).toLowerCase() + cut.slice(1)
}

function openingLine(facts: Map<string, string>, words: Wording, choose: Chooser): string {
  return choose(words.openings)(facts.get('jobTitle'), facts.get('company'))
}

interface Subjects {
  task: WritingTask
  name: string | undefined
  company: string | undefined
  words: Wording
  choose: Chooser
}

function subjectLines({ task, name, company, words, choose }: Subjects): string[] {
  const all = words.subjects.map((make) => make(name, company, promptTopic(task.filledPrompt)).slice(0, 78).trim())
  const first = choose(all)
  return [first, ...all.filter((subject) => subject !== first)].slice(0, task.subjectCount)
}

type Chooser = <Choice>(choices: readonly Choice[]) => Choice

function chooser(seed: string): Chooser {
  let state = 2166136261
  for (const character of seed) state = Math.imul(state ^ character.charCodeAt(0), 16777619)
  return <Choice>(choices: readonly Choice[]): Choice => {
    state = Math.imul(state ^ (state >>> 15), 2246822507) + 1
    const chosen = choices[(state >>> 0) % choices.length]
    if (chosen === undefined) throw new Error('nothing to choose from')
    return chosen
  }
}
