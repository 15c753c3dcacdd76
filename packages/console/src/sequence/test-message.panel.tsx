import type { TestMessage } from '@overture/sdk'
import { useState } from 'react'
import { useAction } from '../platform/api/action.ts'
import { Form, TextField } from '../platform/form/index.ts'
import { Dialog, findIssue, say } from '../platform/ui/index.ts'
import { useMe } from '../users/index.ts'
import { text } from './sequence.messages.ts'

export interface TestMessageProps {
  campaignId: string
  leadId: string
  stepId: string
  variantId: string
  close: () => void
}

/** Sends the message of the lead in the preview to the user's own address. */
export function TestMessageDialog({ campaignId, close, ...message }: TestMessageProps) {
  const me = useMe()
  const [typed, setTyped] = useState<string | null>(null)
  const to = typed ?? me.data?.email ?? ''
  const send = useAction<string, TestMessage>({
    act: (api, address) => api.campaigns.testMessage(campaignId, { ...message, to: address }),
    done: () => {
      say(text.testSent)
      close()
    },
  })
  const issue = findIssue(send.error, 'to')
  return (
    <Dialog title={text.testTitle} open close={close} foot={null}>
      <Form
        operation="sendTestMessage"
        submit={() => send.mutate(to.trim())}
        submitLabel={text.testSend}
        busy={send.isPending}
        error={send.error}
      >
        <TextField
          label={text.testTo}
          hint={text.testToHint}
          type="email"
          autoComplete="email"
          value={to}
          change={setTyped}
          error={issue}
        />
      </Form>
    </Dialog>
  )
}
