import { ApiError } from '@overture/sdk'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import '../tokens.css'
import { Figure } from './chart/figure.tsx'
import { TextField } from './form/fields.tsx'
import { Form } from './form/form.tsx'
import { ZoneField } from './form/zone-field.tsx'
import { listenToKeys, setSingleKeys, useKeys } from './keys/keys.ts'
import { Table } from './table/table.tsx'
import { VirtualTable } from './table/virtual-table.tsx'
import { Boundary } from './ui/boundary.tsx'
import { Button } from './ui/button.tsx'
import { Chosen } from './ui/chosen.tsx'
import { Confirm, Dialog } from './ui/dialog.tsx'
import { findIssue } from './ui/error.tsx'
import { Menu } from './ui/menu.tsx'
import { say, Toasts, undoLast } from './ui/toast.tsx'

const refusal = new ApiError('Check the fields.', {
  status: 400,
  code: 'VALIDATION_ERROR',
  requestId: 'req_told',
  details: { issues: [{ path: 'email', rule: 'email', message: 'This is no e-mail address.' }] },
  retryAfterSeconds: null,
})

test("a field's error is its description, and the input stays", async () => {
  function Example() {
    const [email, setEmail] = useState('')
    const [error, setError] = useState<unknown>(null)
    return (
      <Form submit={() => setError(refusal)} submitLabel="Send" error={error}>
        <TextField
          label="Email"
          hint="Where you read mail."
          value={email}
          change={setEmail}
          error={findIssue(error, 'email')}
        />
      </Form>
    )
  }
  await render(<Example />)
  const field = page.getByLabelText('Email')
  await expect.element(field).toHaveAccessibleDescription('Where you read mail.')
  await userEvent.fill(field, 'nobody')
  await userEvent.keyboard('{Enter}')
  await expect.element(field).toHaveAccessibleDescription('Where you read mail. This is no e-mail address.')
  await expect.element(field).toBeInvalid()
  await expect.element(field).toHaveValue('nobody')
  // The message is shown once, at the field.
  await expect.element(page.getByText('This is no e-mail address.')).toBeInTheDocument()
  await expect.element(page.getByRole('alert')).toHaveTextContent('Check the marked fields')
  await page.getByText('Details', { exact: true }).click()
  await expect.element(page.getByRole('button', { name: 'Copy request ID' })).toBeInTheDocument()
})

test("an error without a field is shown above the button, even with the text of a field's error", async () => {
  const message = 'This is no e-mail address.'
  const issues = ['email', 'sender.email'].map((path) => ({ path, rule: 'email', message }))
  const error = new ApiError('Check the fields.', {
    status: 400,
    code: 'VALIDATION_ERROR',
    requestId: 'req_told',
    details: { issues },
    retryAfterSeconds: null,
  })
  await render(
    <Form submit={() => undefined} submitLabel="Send" error={error}>
      <TextField label="Email" value="nobody" change={() => undefined} error={findIssue(error, 'email')} />
    </Form>,
  )
  await expect.element(page.getByRole('alert')).toHaveTextContent(/^sender\.email: This is no e-mail address\./)
  await expect.element(page.getByText('This is no e-mail address.', { exact: true })).toBeInTheDocument()
})

test('a confirmation keeps the focus, starts at the safe button, and returns the focus', async () => {
  const confirmed = vi.fn()
  function Example() {
    const [open, setOpen] = useState(false)
    return (
      <>
        <Button onClick={() => setOpen(true)}>Delete</Button>
        <Confirm title="Sure?" open={open} close={() => setOpen(false)} confirm={confirmed} confirmLabel="Yes" danger>
          <p>It is gone then.</p>
        </Confirm>
      </>
    )
  }
  await render(<Example />)
  const opener = page.getByRole('button', { name: 'Delete' })
  await userEvent.click(opener)
  const cancel = page.getByRole('button', { name: 'Cancel' })
  await expect.element(cancel).toHaveFocus()
  const dialog = page.getByRole('alertdialog', { name: 'Sure?' })
  await expect.element(dialog).toHaveAccessibleDescription('It is gone then.')
  for (let stops = 0; stops < 5; stops++) {
    await userEvent.tab()
    expect(dialog.element().contains(document.activeElement)).toBe(true)
  }
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(opener).toHaveFocus()
  expect(confirmed).not.toHaveBeenCalled()
})

test('a time zone is chosen from all zones, or typed as the name of its city in any case', async () => {
  function Example() {
    const [zone, setZone] = useState('UTC')
    const error = zone.includes('/') || zone === 'UTC' ? undefined : 'Choose a zone of the list.'
    return <ZoneField label="Time zone" hint="Where the lead is." value={zone} change={setZone} error={error} />
  }
  await render(<Example />)
  const field = page.getByLabelText('Time zone')
  const list = field.element().getAttribute('list')
  const zones = Array.from(document.querySelectorAll(`datalist[id="${list}"] option`), (option) =>
    option.getAttribute('value'),
  )
  expect(zones[0]).toBe('UTC')
  expect(zones).toContain('Europe/Berlin')
  expect(new Set(zones).size).toBe(zones.length)
  // The present zone is selected, so that typing replaces it.
  await userEvent.tab()
  await userEvent.keyboard('berlin')
  await expect.element(field).toHaveValue('berlin')
  await userEvent.tab()
  await expect.element(field).toHaveValue('Europe/Berlin')
  await userEvent.fill(field, 'new  york')
  await userEvent.tab()
  await expect.element(field).toHaveValue('America/New_York')
})

test('a text that is no time zone stays, with the error as its description; a disabled field has neither', async () => {
  const change = vi.fn()
  const { rerender } = await render(
    <ZoneField label="Time zone" hint="Where." value="MEZ" change={change} error="No time zone." />,
  )
  const field = page.getByLabelText('Time zone')
  await expect.element(field).toBeInvalid()
  await expect.element(field).toHaveAccessibleDescription('Where. No time zone.')
  await userEvent.click(field)
  await userEvent.tab()
  expect(change.mock.calls).toEqual([['MEZ']])
  await rerender(<ZoneField label="Time zone" value="UTC" change={change} off error={undefined} />)
  await expect.element(field).toBeDisabled()
  await expect.element(field).toBeValid()
})

test('letters in an open menu move to its items and run no shortcut of the page', async () => {
  const [archived, won] = [vi.fn(), vi.fn()]
  function Example() {
    useKeys([{ keys: 'e', label: 'Archive', act: archived }])
    const items = ['Interested', 'Meeting booked', 'Won'].map((label) => ({
      label,
      act: label === 'Won' ? won : () => undefined,
    }))
    return (
      <Menu label="Set label" items={items}>
        Label
      </Menu>
    )
  }
  await render(<Example />)
  setSingleKeys(true)
  const stop = listenToKeys()
  await userEvent.click(page.getByRole('button', { name: 'Set label' }))
  await expect.element(page.getByRole('menuitem', { name: 'Interested' })).toHaveFocus()
  await userEvent.keyboard('me')
  await expect.element(page.getByRole('menuitem', { name: 'Meeting booked' })).toHaveFocus()
  await userEvent.keyboard('e')
  expect(archived).not.toHaveBeenCalled()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('button', { name: 'Set label' })).toHaveFocus()
  await userEvent.keyboard('e')
  expect(archived).toHaveBeenCalledOnce()
  await userEvent.keyboard('{Enter}')
  await userEvent.keyboard('w{Enter}')
  expect(won).toHaveBeenCalledOnce()
  stop()
  setSingleKeys(false)
})

test('the list gets the focus when the actions for selected rows disappear with it', async () => {
  function Example() {
    const [count, setCount] = useState(2)
    const [asking, setAsking] = useState(false)
    const clear = (): void => setCount(0)
    return (
      <section>
        <input aria-label="Search" onChange={clear} />
        {count > 0 && (
          <Chosen label="Actions" count={`${count} selected`}>
            <Button onClick={clear}>Clear</Button>
            <Button onClick={() => setAsking(true)}>Stop</Button>
            <Confirm title="Stop?" open={asking} close={() => setAsking(false)} confirm={clear} confirmLabel="Yes">
              <p>They get no more messages.</p>
            </Confirm>
          </Chosen>
        )}
        <Table label="Rows" columns={[{ name: 'Name', cell: (name) => name }]} rows={['One']} rowKey={(name) => name} />
      </section>
    )
  }
  const rows = page.getByRole('group', { name: 'Rows' })
  const cleared = await render(<Example />)
  await userEvent.click(page.getByRole('button', { name: 'Clear' }))
  await expect.element(rows).toHaveFocus()
  await cleared.unmount()
  const confirmed = await render(<Example />)
  await userEvent.click(page.getByRole('button', { name: 'Stop' }))
  await userEvent.click(page.getByRole('button', { name: 'Yes' }))
  await expect.element(page.getByRole('alertdialog')).not.toBeInTheDocument()
  await expect.element(rows).toHaveFocus()
  await confirmed.unmount()
  await render(<Example />)
  const search = page.getByLabelText('Search')
  await userEvent.fill(search, 'x')
  await expect.element(page.getByRole('region', { name: 'Actions' })).not.toBeInTheDocument()
  await expect.element(search).toHaveFocus()
})

test('a form in a dialog has a Cancel button, and the same form in a page has none', async () => {
  function Example() {
    const [open, setOpen] = useState(true)
    const form = (
      <Form submit={() => undefined} submitLabel="Create">
        <TextField label="Name" value="" change={() => undefined} />
      </Form>
    )
    return open ? (
      <Dialog title="New campaign" open close={() => setOpen(false)} foot={null}>
        {form}
      </Dialog>
    ) : (
      form
    )
  }
  await render(<Example />)
  const cancel = page.getByRole('button', { name: 'Cancel' })
  await userEvent.click(cancel)
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Create' })).toBeVisible()
  await expect.element(cancel).not.toBeInTheDocument()
})

test('a long table scrolls by keys, shows the position, and keeps few rows in the page', async () => {
  const rows = Array.from({ length: 2_000 }, (_none, n) => ({ id: String(n), name: `Row ${n}` }))
  const more = vi.fn()
  await render(
    <VirtualTable
      label="Rows"
      columns={[{ name: 'Name', cell: ({ name }) => name }]}
      rows={rows}
      rowKey={({ id }) => id}
      total={{ count: 100_000, isLeast: false }}
      more={more}
      busy={false}
    />,
  )
  const table = page.getByRole('table', { name: 'Rows' })
  await expect.element(table).toHaveAttribute('aria-rowcount', '100001')
  await userEvent.tab()
  await expect.element(page.getByRole('group', { name: 'Rows' })).toHaveFocus()
  const last = () => Math.max(...indexes())
  const indexes = () =>
    Array.from(table.element().querySelectorAll('[aria-rowindex]'), (row) => Number(row.getAttribute('aria-rowindex')))
  const before = last()
  await userEvent.keyboard('{PageDown}')
  await expect.poll(last).toBeGreaterThan(before)
  expect(more).not.toHaveBeenCalled()
  await expect
    .poll(async () => {
      await userEvent.keyboard('{End}')
      return last()
    })
    .toBe(rows.length + 1)
  expect(indexes().length).toBeLessThanOrEqual(60)
  await expect.poll(() => more.mock.calls.length).toBeGreaterThan(0)
})

test('a table of a search that was not counted to its end says so', async () => {
  await render(
    <VirtualTable
      label="Rows"
      columns={[{ name: 'Name', cell: (name) => name }]}
      rows={['One']}
      rowKey={(name) => name}
      total={{ count: 10_000, isLeast: true }}
      more={() => undefined}
      busy={false}
    />,
  )
  await expect.element(page.getByText('10,000+ rows')).toBeVisible()
  await expect.element(page.getByRole('table', { name: 'Rows' })).toHaveAttribute('aria-rowcount', '-1')
})

test('notifications are announced, and Undo applies once, last action first', async () => {
  const taken: string[] = []
  await render(<Toasts />)
  say('Archived', () => taken.push('archive'))
  say('Labelled', () => taken.push('label'))
  say('Saved')
  await expect
    .element(page.getByRole('status', { name: 'Notifications' }))
    .toHaveTextContent('ArchivedUndoLabelledUndoSaved')
  undoLast()
  await userEvent.click(page.getByRole('button', { name: 'Undo' }))
  undoLast()
  expect(taken).toEqual(['label', 'archive'])
  await expect.element(page.getByRole('button', { name: 'Undo' })).not.toBeInTheDocument()
})

test('a chart has a summary sentence and a table of its numbers', async () => {
  await render(
    <Figure
      label="Sent per day"
      sentence="Most was sent on Tuesday."
      table={{
        columns: ['Day', 'Sent'],
        rows: [
          ['Monday', '3'],
          ['Tuesday', '40'],
        ],
      }}
    >
      <svg aria-hidden />
    </Figure>,
  )
  await expect
    .element(page.getByRole('figure', { name: 'Sent per day' }))
    .toHaveTextContent('Most was sent on Tuesday.')
  await userEvent.click(page.getByRole('button', { name: 'Show as table' }))
  const table = page.getByRole('table', { name: 'Sent per day' })
  await expect.element(table.getByRole('columnheader', { name: 'Sent' })).toBeInTheDocument()
  await expect.element(table.getByRole('row', { name: 'Tuesday 40' })).toBeInTheDocument()
  await userEvent.click(page.getByRole('button', { name: 'Show as chart' }))
  await expect.element(table).not.toBeInTheDocument()
})

test('a failing part leaves the others intact and is retried automatically', async () => {
  const state = { broken: true }
  function Part() {
    if (state.broken) throw new Error('A bug')
    return <p>Whole again</p>
  }
  const quiet = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  await render(
    <>
      <Boundary>
        <Part />
      </Boundary>
      <p>The other part</p>
    </>,
  )
  await expect.element(page.getByRole('alert')).toHaveTextContent('This part of the page failed to load.')
  await expect.element(page.getByText('The other part')).toBeInTheDocument()
  state.broken = false
  await userEvent.click(page.getByRole('button', { name: 'Try again' }))
  await expect.element(page.getByText('Whole again')).toBeInTheDocument()
  quiet.mockRestore()
})
