import { passwordProblem } from '@zhugong/contract/identity/password'
import { expect, test } from 'vitest'
import { passwordRules } from './password-rules.ts'

test.each(['', 'short', 'Abcdefgh1!', 'abcdefghij', 'ABCdef1234', 'Wang.jian1guo', 'Abc def 123!', `Aa1${'x'.repeat(40)}`])(
  'the points agree with the contract for %s',
  (password) => {
    const met = passwordRules(password, 'wang').every((rule) => rule.met)
    expect(met).toBe(passwordProblem(password, 'wang') === undefined)
  },
)
