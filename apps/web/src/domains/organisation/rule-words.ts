import { type OrgRules, orgRules } from '@zhugong/contract/organisation/brand'
import type { Difference } from '#kit/settings-shell.tsx'

type Post = OrgRules['posts'][number]

/** Changes by post; roles are shown by name. */
export function ruleDifferences(before: OrgRules, after: OrgRules, roleName: (id: string) => string): Difference[] {
  const words = (one: Post | undefined) =>
    one ? [one.roleId ? roleName(one.roleId) : '不给角色', one.isKey && '关键岗位'].filter(Boolean).join('，') : '无'
  const posts = [...new Set([...before.posts, ...after.posts].map((one) => one.post))]
  const of = (rules: OrgRules, post: string) => words(rules.posts.find((one) => one.post === post))
  const departments = (rules: OrgRules) => rules.departments.join('、') || '无'
  return [
    { label: '部门模板', before: departments(before), after: departments(after) },
    ...posts.map((post) => ({ label: `岗位 ${post || '（未命名）'}`, before: of(before, post), after: of(after, post) })),
  ].filter((one) => one.before !== one.after)
}

/** Error message that prevents saving. */
export const ruleFault = (rules: OrgRules): string | undefined => orgRules.safeParse(rules).error?.issues[0]?.message
