import type { Me } from '@overture/sdk'
import { useState } from 'react'
import { Form, ProofField, findProofIssue, toConfirmation, TextField } from '../../platform/form/index.ts'
import {
  Badge,
  Button,
  Confirm,
  CopyButton,
  Dialog,
  ErrorNote,
  findIssue,
  Panel,
  QrCode,
  Row,
  say,
} from '../../platform/ui/index.ts'
import { useBeginTotp, useConfirmTotp, useEndTotp } from './totp.actions.ts'
import { text } from './totp.messages.ts'
import styles from '../users.module.css'

/** Sets up an authenticator besides the password. */
export function SecondStep({ me }: { me: Me }) {
  const begin = useBeginTotp()
  const [open, setOpen] = useState(false)
  const hasPassword = me.methods?.includes('password') === true
  const setUp = (): void => {
    if (hasPassword) setOpen(true)
    else begin.mutate(undefined, { onSuccess: () => setOpen(true) })
  }
  const close = (): void => {
    setOpen(false)
    // Neither the key nor the codes stay on the page.
    begin.reset()
  }
  return (
    <Panel title={text.title} actions={me.totp && <Badge tone="good">{text.onMark}</Badge>}>
      <p>{me.totp ? text.on : text.off}</p>
      <Row>
        {me.totp ? (
          <Remove />
        ) : (
          <Button busy={begin.isPending} onClick={setUp}>
            {text.setUp}
          </Button>
        )}
      </Row>
      {!open && <ErrorNote error={begin.error} />}
      {open && begin.data === undefined && <Prove begin={begin} close={close} />}
      {open && begin.data !== undefined && (
        <SetUp secret={begin.data.secret ?? ''} url={begin.data.url ?? ''} close={close} />
      )}
    </Panel>
  )
}

function Prove({ begin, close }: { begin: ReturnType<typeof useBeginTotp>; close: () => void }) {
  const [proof, setProof] = useState('')
  return (
    <Dialog title={text.setUp} open close={close} foot={null}>
      <Form
        submit={() => begin.mutate(toConfirmation(proof))}
        submitLabel={text.prove}
        busy={begin.isPending}
        error={begin.error}
      >
        <ProofField value={proof} change={setProof} error={begin.error} />
      </Form>
    </Dialog>
  )
}

function SetUp({ secret, url, close }: { secret: string; url: string; close: () => void }) {
  const [code, setCode] = useState('')
  const confirm = useConfirmTotp()
  const codes = confirm.data?.recoveryCodes
  if (codes !== undefined) return <Codes codes={codes} close={close} />
  const issue = findIssue(confirm.error, 'code')
  return (
    <Dialog title={text.setUp} open close={close} foot={null}>
      <p>{text.scan}</p>
      <QrCode label={text.picture} value={url} />
      <Row>
        {text.secret} <code>{secret}</code>
        <CopyButton small look="quiet" label={text.copySecret} value={secret} />
      </Row>
      <Form
        submit={() => confirm.mutate(code)}
        submitLabel={text.confirm}
        busy={confirm.isPending}
        error={confirm.error}
      >
        <TextField
          label={text.code}
          hint={text.codeHint}
          inputMode="numeric"
          autoComplete="one-time-code"
          value={code}
          change={setCode}
          error={issue}
        />
      </Form>
    </Dialog>
  )
}

function Codes({ codes, close }: { codes: readonly string[]; close: () => void }) {
  return (
    <Dialog
      title={text.codesTitle}
      open
      close={close}
      foot={
        <>
          <CopyButton label={text.copyCodes} value={codes.join('\n')} />
          <Button look="primary" onClick={close}>
            {text.kept}
          </Button>
        </>
      }
    >
      <p>{text.codesText}</p>
      <ul className={styles['codes']} aria-label={text.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

function Remove() {
  const [asking, setAsking] = useState(false)
  const [proof, setProof] = useState('')
  const end = useEndTotp(() => {
    setAsking(false)
    say(text.removed)
  })
  const close = (): void => {
    setAsking(false)
    // The dialog keeps its state while it is closed, and the password must not stay.
    setProof('')
    end.reset()
  }
  const issue = findProofIssue(end.error)
  return (
    <>
      <Button onClick={() => setAsking(true)}>{text.remove}</Button>
      <Confirm
        title={text.removeTitle}
        open={asking}
        close={close}
        confirm={() => end.mutate(toConfirmation(proof))}
        confirmLabel={text.remove}
        danger
        busy={end.isPending}
      >
        <p>{text.removeText}</p>
        <ProofField value={proof} change={setProof} error={end.error} />
        <ErrorNote error={end.error} shownErrors={issue === undefined ? [] : [issue]} />
      </Confirm>
    </>
  )
}
