import { passwordKinds, passwordMax, passwordMin } from '@zhugong/contract/identity/password'

export interface Rule {
  text: string
  met: boolean
}

/** Password rules, checked while typing. Whether it repeats one of the last five passwords is checked by the server only. */
export function passwordRules(password: string, account: string): Rule[] {
  const kinds = [/[A-Z]/, /[a-z]/, /\d/, /[^A-Za-z\d\s]/].filter((kind) => kind.test(password)).length
  return [
    {
      text: `${passwordMin}-${passwordMax} 位，不含空格`,
      met: password.length >= passwordMin && password.length <= passwordMax && !/\s/.test(password),
    },
    { text: '大写字母、小写字母、数字、符号至少三种', met: kinds >= passwordKinds },
    { text: '不包含账号', met: password !== '' && !(account !== '' && password.toLowerCase().includes(account.toLowerCase())) },
  ]
}
