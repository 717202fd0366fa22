import type { Round } from '@zhugong/contract/examine/rhythm'
import type { Generated } from 'kysely'
import type { Disclosed } from '#kit/columns'

interface SiteExamineTable extends Disclosed {
  checkId: string
  round: Round
  corpCodes: Generated<string[]>
  archivedAt: Date | null
  archivedBy: string | null
}

declare module '#kit/db' {
  interface Tables {
    siteExamine: SiteExamineTable
  }
}
