import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { anyApi } from '../platform/api/environment.tsx'
import { Time } from '../platform/time/now.tsx'
import { Badge, Button, ErrorNote, Grow, Lines, Panel, Shown, Soft } from '../platform/ui/index.ts'
import { browserName } from './browser-name.ts'
import { text } from './profile.messages.ts'

const sessionsMax = 50

/** Every browser that is signed in. Each can be signed out from here. */
export function Sessions() {
  const client = useQueryClient()
  const sessions = useQuery({
    queryKey: ['session', 'list'],
    queryFn: async () => anyApi.me.sessions.list({ limit: sessionsMax }).page(),
  })
  const end = useMutation({
    mutationFn: async (id: string) => anyApi.me.sessions.end(id),
    onSettled: () => client.invalidateQueries({ queryKey: ['session', 'list'] }),
  })
  return (
    <Panel title={text.sessions}>
      <ErrorNote error={end.error} />
      <Shown of={sessions}>
        {({ results }) => (
          <Lines label={text.sessions}>
            {results.map(({ id, current, userAgent, ip, createdAt }) => (
              <li key={id}>
                <Grow>
                  <span title={userAgent ?? undefined}>{browserName(userAgent) ?? text.unknown}</span> <Soft>{ip}</Soft>
                </Grow>
                <Time at={createdAt} />
                {current ? (
                  <Badge tone="good">{text.current}</Badge>
                ) : (
                  <Button small onClick={() => end.mutate(id)}>
                    {text.end}
                  </Button>
                )}
              </li>
            ))}
          </Lines>
        )}
      </Shown>
    </Panel>
  )
}
