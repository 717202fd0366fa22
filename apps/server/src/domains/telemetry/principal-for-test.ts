import { codesFor } from '@zhugong/contract/access/codes'
import type { GroupType, Principal } from '#kit/context'

export interface TestGroup {
  type: GroupType
  projects: string[] | '*'
}

/** A principal of the given group, without authentication. */
export function principalOf(group: TestGroup): Principal {
  const all = group.projects === '*'
  return {
    sessionHash: 'none',
    user: { id: 'u', account: 'u', name: '测试', mustChangePassword: false },
    group: { id: 'g', type: group.type, code: all ? 'platform' : (group.projects[0] ?? ''), name: 'g', areaCode: null },
    bounds: new Map(),
    codes: new Set(codesFor(group.type)),
    scope: {
      all,
      projects: all ? [] : (group.projects as string[]),
      limited: [],
      supervised: [],
      corps: [],
      governments: [],
      groupId: 'g',
      groupType: all ? 0 : 3,
      userId: 'u',
    },
    projectCode: '*',
  }
}
