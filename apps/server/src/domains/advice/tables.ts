import type { AddresseeKind } from '@zhugong/contract/advice/calls'
import type { Generated } from 'kysely'

interface AdviceTable {
  id: string
  title: string
  type: string
  secret: boolean
  anonymous: boolean
  aboutProject: string | null
  aboutName: string | null
  addresseeKind: AddresseeKind
  addresseeGroup: string
  addresseeName: string
  handlers: string[]
  submitterId: string
  submitterName: string
  submitterGroup: string
  submitterGroupName: string
  rounds: Generated<number>
  askedAt: Date
  firstReplyAt: Date | null
  repliedAt: Date | null
  replier: string | null
  satisfaction: number | null
  closedAt: Date | null
  state: Generated<string>
  version: Generated<number>
  createTime: Date
  updateBy: string | null
  updateTime: Generated<Date>
}
interface AdviceEntryTable {
  id: string
  adviceId: string
  kind: 'ask' | 'reply' | 'forward'
  text: string
  images: Generated<string[]>
  bySubmitter: boolean
  byName: string
  groupName: string
  at: Date
}
interface AdviceNoteTable {
  id: string
  adviceId: string
  groupId: string
  text: string
  byName: string
  at: Date
}

declare module '#kit/db' {
  interface Tables {
    advice: AdviceTable
    adviceEntry: AdviceEntryTable
    adviceNote: AdviceNoteTable
  }
}
