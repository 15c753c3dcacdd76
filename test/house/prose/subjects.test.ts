import { expect, test } from 'vitest'
import { subjectProblem } from './subjects.ts'

test.each([
  'planner: skip branches with a deleted target',
  'Add a report of slow files',
  'Pass the account to each statement',
  'server/http: process uploads apart',
])('%s is accepted', (subject) => expect(subjectProblem(subject)).toBeNull())

test.each([
  ['The planner skips branches', 'verb in base form'],
  ['planner: skipped branches', 'verb in base form'],
  ['Skipping branches', 'verb in base form'],
  ['Skips branches', 'verb in base form'],
  ['Skip branches.', 'no full stop'],
  [`Skip ${'x'.repeat(70)}`, '72 characters'],
])('%s is refused', (subject, problem) => expect(subjectProblem(subject)).toContain(problem))
