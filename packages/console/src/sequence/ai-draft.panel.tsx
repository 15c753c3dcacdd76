import type { Generation, Lead, Model } from '@overture/sdk'
import { useEffect, useRef, useState } from 'react'
import { useApi } from '../platform/api/environment.tsx'
import { AreaField, Form, SelectField } from '../platform/form/index.ts'
import { numberText } from '../platform/time/format.ts'
import { keep, kept } from '../platform/session/preferences.ts'
import { Button, Dialog, Soft } from '../platform/ui/index.ts'
import { useModels } from './models.queries.ts'
import { withVariables } from './texts/personal.ts'
import { text } from './sequence.messages.ts'
import styles from './sequence.module.css'

export interface AiDraftProps {
  campaignId: string
  /** The lead that the text is written for. When the text is accepted, it is used for all leads. */
  lead: Lead | null
  close: () => void
  take: (draft: { subject: string; body: string }) => void
}

interface WrittenDraft {
  subject: string
  body: string
}

/** The last prompt in this browser. */
const promptName = 'ai-prompt'
const patternName = 'pattern-prompt'

function forAll({ subject, body }: WrittenDraft, lead: Lead): WrittenDraft {
  return { subject: withVariables(subject, lead), body: withVariables(body, lead) }
}

const nothing: WrittenDraft = { subject: '', body: '' }

/**
 * A model writes the text while the user watches, starting at once with the last prompt. The text is only used after the user accepts it.
 */
export function AiDraft({ campaignId, lead, close, take }: AiDraftProps) {
  const models = useModels()
  const [chosen, setChosen] = useState('')
  const { connected } = models
  const promptKey = connected ? promptName : patternName
  const [prompt, setPrompt] = useState<string>(
    kept(promptKey) ?? (connected ? text.aiPromptDefault : text.patternPromptDefault),
  )
  const model = models.usable.find(({ id }) => id === chosen) ?? models.first
  const { begin, ...writing } = useWriting({ campaignId, leadId: lead?.id ?? null })
  const begun = useRef(false)
  useEffect(() => {
    if (model === undefined || begun.current) return
    begun.current = true
    begin(model, prompt)
  }, [model, prompt, begin])
  const again = (): void => {
    keep(promptKey, prompt)
    if (model) begin(model, prompt)
  }
  return (
    <Dialog
      title={connected ? text.aiTitle : text.startFromPattern}
      wide
      open
      close={() => {
        writing.stop()
        close()
      }}
      foot={
        writing.done && (
          <Button
            look="primary"
            onClick={() => {
              take(lead === null ? writing.written : forAll(writing.written, lead))
              close()
            }}
          >
            {text.aiInsert}
          </Button>
        )
      }
    >
      <Form
        operation="generateEmail"
        submit={again}
        submitLabel={text.aiWrite}
        busy={writing.busy}
        error={writing.error ?? models.error}
        beside={connected && model && <Soft>{text.aiCost(numberText(model.creditsPerGeneration))}</Soft>}
      >
        {connected ? (
          <SelectField
            label={text.aiModel}
            value={model?.id ?? ''}
            change={setChosen}
            choices={models.usable.map(({ id, name }) => ({ value: id, label: name }))}
          />
        ) : (
          <p>{text.noModel}</p>
        )}
        <AreaField
          label={connected ? text.aiPrompt : text.patternPrompt}
          hint={connected ? text.aiPromptHint : text.patternPromptHint}
          autoFocus
          rows={3}
          value={prompt}
          change={setPrompt}
        />
      </Form>
      <section aria-label={text.aiDraft} aria-live="polite" aria-busy={writing.busy} className={styles['draft']}>
        <strong>{writing.written.subject}</strong>
        <p>{writing.written.body}</p>
      </section>
    </Dialog>
  )
}

function useWriting({ campaignId, leadId }: { campaignId: string; leadId: string | null }) {
  const api = useApi()
  const [written, setWritten] = useState(nothing)
  const [state, setState] = useState<'idle' | 'busy' | 'done'>('idle')
  const [error, setError] = useState<unknown>(null)
  const leaving = useRef<AbortController>(null)
  const begin = (model: Model, prompt: string): void => {
    leaving.current?.abort()
    const abort = new AbortController()
    leaving.current = abort
    setWritten(nothing)
    setError(null)
    setState('busy')
    const body = { modelId: model.id, prompt, kind: 'email' as const, ...(leadId !== null && { campaignId, leadId }) }
    void read(body, abort.signal).catch((caught: unknown) => {
      if (abort.signal.aborted) return
      setError(caught)
      setState('idle')
    })
  }
  const read = async (body: Parameters<typeof api.ai.generateEmail>[0], signal: AbortSignal): Promise<void> => {
    for await (const part of api.ai.generateEmail.stream(body, { signal })) {
      if (part.type === 'restart') setWritten(nothing)
      // If there are several subjects, the first one is shown while it is written.
      else if (part.type === 'delta' && part.index === 0)
        setWritten((now) => ({ ...now, [part.field]: now[part.field] + part.text }))
      else if (part.type === 'result') {
        const { subject, body: words }: Generation = part.result
        setWritten({ subject, body: words })
        setState('done')
      }
    }
  }
  return { written, error, busy: state === 'busy', done: state === 'done', begin, stop: () => leaving.current?.abort() }
}
