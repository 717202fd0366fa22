import { approvedState } from '@zhugong/contract/attendance/facts'
import { sql } from 'kysely'
import { type Condition, condition } from '#kit/list'

/** Condition: the event is quarantined (A10) and not released by an approved correction of the event, or of its gate and period. */
export const isWaiting = (alias: string): Condition => {
  const e = (column: string) => sql.ref(`${alias}.${column}`)
  return condition(sql`(${e('quarantine')} is not null and not exists (select 1 from attendance_correction x
    where x.project_code = ${e('projectCode')} and x.kind = 'release' and x.state = ${approvedState} and (x.value ->> 'target' = ${e('id')}
      or (x.value ->> 'gate' = ${e('terminalCode')} and ${e('time')} between to_timestamp((x.value ->> 'fromTime')::bigint / 1000.0)
        and to_timestamp((x.value ->> 'toTime')::bigint / 1000.0)))))`)
}
