import type { Generated } from 'kysely'

interface PolicyTable {
  id: string
  groupId: string
  areaFront: string
  title: string
  docNo: string | null
  docKey: string | null
  level: '1' | '2' | '3' | '4'
  category: 'law' | 'rule' | 'normative' | 'standard' | 'notice' | 'reading'
  subject: string | null
  issuer: string
  issueDate: string
  effectDate: string
  content: string
  body: string
  files: Generated<string[]>
  state: Generated<string>
  publishedAt: Date | null
  withdrawReason: string | null
  topAt: Date | null
  views: Generated<number>
  version: Generated<number>
  createBy: string
  createTime: Date
  updateBy: string | null
  updateTime: Generated<Date>
}
interface PolicyLinkTable {
  id: string
  groupId: string
  earlierId: string
  laterId: string | null
  kind: 'amend' | 'repeal'
  since: string
}

declare module '#kit/db' {
  interface Tables {
    policy: PolicyTable
    policyLink: PolicyLinkTable
  }
}
