export const passwordMin = 10
export const passwordMax = 32
/** Required number of character kinds, of four: upper case, lower case, digits, others. */
export const passwordKinds = 3

/** Returns what is wrong with a new password, in Chinese; undefined when it is acceptable. It must not contain `account`. */
export function passwordProblem(password: string, account?: string): string | undefined {
  if (password.length < passwordMin || password.length > passwordMax) return `密码长度应为 ${passwordMin}-${passwordMax} 位`
  if (/\s/.test(password)) return '密码不能含空格'
  const kinds = [/[A-Z]/, /[a-z]/, /\d/, /[^A-Za-z\d]/].filter((kind) => kind.test(password)).length
  if (kinds < passwordKinds) return '密码应含大写字母、小写字母、数字、符号中的至少三种'
  if (account && password.toLowerCase().includes(account.toLowerCase())) return '密码不能包含账号'
  return undefined
}
