import { useState } from 'react'
import { useAction } from '../platform/api/action.ts'
import { Form, TextField } from '../platform/form/index.ts'
import { Dialog, issueOf, say } from '../platform/ui/index.ts'
import { useMe } from '../users/index.ts'
import { text } from './sequence.messages.ts'

export interface TestMessageProps {
  campaignId: string
  leadId: string | null
  stepId: string | null
  variantId: string | null
  close: () => void
}

/** The step as this lead would get it, to one's own mailbox. */
export function TestMessage({ campaignId, leadId, stepId, variantId, close }: TestMessageProps) {
  const me = useMe()
  const [to, setTo] = useState(me.data?.email ?? '')
  const send = useAction({
    act: (api) =>
      api.call('POST', `/v2/campaigns/${campaignId}/test-message`, {
        body: { leadId, stepId, ...(variantId !== null && { variantId }), to },
      }),
    done: () => {
      say(text.testSent)
      close()
    },
  })
  const reason = leadId === null ? text.noLeads : stepId === null ? text.unsaved : null
  return (
    <Dialog title={text.testTitle} open close={close} foot={null}>
      <Form
        submit={() => send.mutate()}
        submitLabel={text.testSend}
        busy={send.isPending}
        error={send.error}
        reason={reason}
      >
        <TextField
          label={text.testTo}
          type="email"
          hint={text.testToHint}
          value={to}
          change={setTo}
          error={issueOf(send.error, 'to')}
        />
      </Form>
    </Dialog>
  )
}
