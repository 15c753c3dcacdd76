import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Overture } from '@overture/sdk'
import { deleting } from './being-deleted.ts'
import { useApi, useEnvironment } from './environment.tsx'

export interface ActionOptions<Input, Output> {
  act: (api: Overture, input: Input) => PromiseLike<Output>
  /** The query keys whose data the action makes out of date. */
  stale?: (input: Input, output: Output) => readonly (readonly unknown[])[]
  /** The id of what the action deletes. Data with this id in its key is not read until its page is closed. */
  deletes?: string
  /** The user waits for the result of the action itself, so it is shown before out-of-date data was read again. */
  answerFirst?: boolean
  done?: (output: Output, input: Input) => void
}

/** An action that changes data. A refusal is in `error`, to be shown where it belongs. */
export function useAction<Input = void, Output = unknown>(options: ActionOptions<Input, Output>) {
  const { act, stale, done, deletes, answerFirst = false } = options
  const api = useApi()
  const environment = useEnvironment()
  const client = useQueryClient()
  return useMutation<Output, Error, Input>({
    mutationFn: async (input) =>
      deletes === undefined ? act(api, input) : deleting(client, deletes, () => act(api, input)),
    onSuccess: async (output, input) => {
      done?.(output, input)
      const keys = stale?.(input, output) ?? []
      const fresh = Promise.all(keys.map((key) => client.invalidateQueries({ queryKey: [environment, ...key] })))
      if (!answerFirst) await fresh
    },
  })
}
