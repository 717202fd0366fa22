import type { Generated } from 'kysely'

interface ProcessLogTable {
  id: string
  /** Null: of the groups it names, and of no project. */
  projectCode: string | null
  corpCode: string | null
  shownAt: Date | null
  groups: string[]
  kind: string
  objectId: string
  action: string
  fromState: string | null
  toState: string
  byId: string
  byName: string
  groupName: string
  opinion: string | null
  at: Date
}
interface ProcessTodoTable {
  id: string
  /** Null: of the groups it names, and of no project. */
  projectCode: string | null
  corpCode: string | null
  shownAt: Date | null
  groups: string[]
  kind: string
  objectId: string
  turn: string
  forGroup: string | null
  codes: string[]
  title: string
  link: string
  since: Date
  /** yyyy-MM-dd. */
  due: string | null
  step: number
  nextAt: Date | null
}
interface ProcessSignatureTable {
  id: string
  /** Null: of the groups it names, and of no project. */
  projectCode: string | null
  corpCode: string | null
  shownAt: Date | null
  groups: string[]
  kind: string
  objectId: string
  seat: string
  role: string
  name: string
  userId: string | null
  phone: Buffer | null
  image: Buffer | null
  hash: string
  refused: Generated<boolean>
  reason: string | null
  witness: string | null
  place: string | null
  device: string | null
  byId: string
  byName: string
  at: Date
  voidAt: Date | null
}
interface DocumentNumberTable {
  owner: string
  docType: string
  year: number
  last: number
}

declare module '#kit/db' {
  interface Tables {
    processLog: ProcessLogTable
    processTodo: ProcessTodoTable
    processSignature: ProcessSignatureTable
    documentNumber: DocumentNumberTable
  }
}
