import { describe, expect, test } from 'vitest'
import { placeOfName, unknownNames } from './unknown-names.ts'

describe('an unknown name', () => {
  test.each([
    ['frstName', 'firstName'],
    ['Firstname1', 'firstName'],
    ['fist_name', 'firstName'],
    ['first-name', 'firstName'],
    ['compny', 'company'],
    ['Cty', 'city'],
    ['Plam', 'Plan'],
    ['unsubscribUrl', 'unsubscribeUrl'],
    ['tea', null],
    ['nope', null],
  ])('%s probably means %s', (name, meant) => {
    expect(unknownNames([name], ['Plan', 'plan_size'])).toEqual([{ name, meant }])
  })

  test('is neither standard nor a custom variable, in any spelling', () => {
    const names = ['First_Name', 'PLAN', 'customVariables.x', 'sender.fromName', 'PlanSize', 'plans']
    expect(unknownNames(names, ['Plan', 'plan_size'])).toEqual([{ name: 'plans', meant: 'Plan' }])
  })

  test('is placed where a tag uses it first', () => {
    expect(placeOfName('nme {{ "nme" }} {{ my.nme }} {% if nme %}', 'nme')).toEqual([35, 38])
    expect(placeOfName('nme {{ nmes }}', 'nme')).toBeNull()
  })
})
