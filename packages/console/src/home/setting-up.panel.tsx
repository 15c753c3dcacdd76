import { Check, Circle } from 'lucide-react'
import { useCampaigns } from '../campaigns/index.ts'
import { adminInstruction } from '../forecast/index.ts'
import { usePaths } from '../paths.ts'
import { CopyButton, Grow, Lines, Link, Panel, Soft } from '../platform/ui/index.ts'
import { useSenders } from '../sending-accounts/index.ts'
import { useAccount } from '../settings/index.ts'
import { useWebhooks } from '../webhooks/index.ts'
import { text } from './home.messages.ts'

const iconSize = 16

/** The steps to a first live campaign, and which are done. */
export function SettingUp() {
  const paths = usePaths()
  const senders = useSenders().data?.results ?? []
  const campaigns = useCampaigns().data?.results ?? []
  const account = useAccount().data
  const webhooks = useWebhooks().data?.results ?? []
  const steps = [
    { name: text.sender, to: paths.connectSender, done: senders.length > 0 },
    { name: text.leads, to: paths.campaigns, done: campaigns.some(({ leadCount }) => leadCount > 0) },
    { name: text.address, to: paths.postalAddress, done: account?.postalAddress !== null && account !== undefined },
    { name: text.links, to: null, done: account?.linksReachRecipients === true },
    { name: text.health, to: paths.senders, done: senders.some(({ health }) => health !== null) },
    { name: text.webhook, to: paths.developers('webhooks'), done: webhooks.length > 0 },
  ]
  return (
    <Panel title={text.settingUp}>
      <Lines label={text.settingUp}>
        {steps.map(({ name, to, done }) => (
          <li key={name}>
            {done ? (
              <Check size={iconSize} role="img" aria-label={text.done} />
            ) : (
              <Circle size={iconSize} role="img" aria-label={text.toDo} />
            )}
            <Grow>{done ? <Soft>{name}</Soft> : to === null ? name : <Link to={to}>{name}</Link>}</Grow>
            {!done && to === null && <CopyButton small label={text.copyInstruction} value={adminInstruction} />}
          </li>
        ))}
      </Lines>
    </Panel>
  )
}
