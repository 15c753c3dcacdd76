import type { SendingAccountDiscovery } from '@overture/sdk'
import { usePaths } from '../paths.ts'
import { useEnvironment } from '../platform/api/environment.tsx'
import { Button, CopyButton, ErrorNote, Note, OutsideLink, Panel, Row, Steps } from '../platform/ui/index.ts'
import { findGuide, type Guide } from './guides.ts'
import { text } from './guides.messages.ts'
import { useAuthorize } from './senders.actions.ts'
import { text as senderText } from './senders.messages.ts'

/** How to connect a mailbox at its provider: without a password if the server can do it, otherwise step by step. */
export function ProviderGuide({ found }: { found: SendingAccountDiscovery }) {
  const guide = findGuide(found)
  if (guide === null)
    return (
      found.hint !== null && (
        <Note>
          <p>{found.hint}</p>
        </Note>
      )
    )
  const { provider, oauth } = found
  return (
    <Panel title={text.title(text.names[guide.name])}>
      {(provider === 'google' || provider === 'microsoft') &&
        (oauth.available ? (
          <Continue provider={provider} email={found.email} />
        ) : (
          <NotSetUp provider={provider} name={text.names[provider]} />
        ))}
      {(provider === 'google' || provider === 'microsoft') && <p>{text.or[provider]}</p>}
      <GuideSteps guide={guide} />
    </Panel>
  )
}

/** Says that nothing real is connected here. */
export function TestNote() {
  if (useEnvironment() !== 'test') return null
  return (
    <Note tone="warn">
      <p>{text.inTest}</p>
    </Note>
  )
}

function GuideSteps({ guide }: { guide: Guide }) {
  return (
    <Steps>
      {text.steps[guide.name].map((step, index) => {
        const link = guide.links[index]
        return (
          <li key={step}>
            {step} {link && <OutsideLink href={link.url}>{text.links[link.label]}</OutsideLink>}
          </li>
        )
      })}
      {guide.name !== 'microsoft' && <li>{text.pasteIt}</li>}
    </Steps>
  )
}

function Continue({ provider, email }: { provider: 'google' | 'microsoft'; email: string }) {
  const authorize = useAuthorize()
  const paths = usePaths()
  return (
    <Row>
      <Button
        look="primary"
        busy={authorize.isPending}
        onClick={() => authorize.mutate({ provider, email, returnPath: paths.senders })}
      >
        {provider === 'google' ? senderText.withGoogle : senderText.withMicrosoft}
      </Button>
      <ErrorNote error={authorize.error} />
    </Row>
  )
}

const consoles = {
  google: 'https://console.cloud.google.com/apis/credentials',
  microsoft: 'https://entra.microsoft.com',
}

function NotSetUp({ provider, name }: { provider: 'google' | 'microsoft'; name: string }) {
  const prefix = provider.toUpperCase()
  const settings = `${prefix}_OAUTH_CLIENT_ID${text.and}${prefix}_OAUTH_CLIENT_SECRET`
  const callback = `${location.origin}/hooks/oauth/${provider}`
  return (
    <Note>
      <p>
        {text.notSetUp(name)} {text.whoSetsUp(settings)}
      </p>
      <Row>
        <CopyButton
          small
          label={text.copyInstruction}
          value={text.instruction(name, consoles[provider], callback, settings)}
        />
      </Row>
    </Note>
  )
}
