import { idOf } from '@zhugong/simulator/random'
import { stepAt, type Todo } from '#domains/process/public'
import type { Row } from '#kit/db'

type Source = Pick<Row<'processTodo'>, 'projectCode' | 'corpCode' | 'shownAt' | 'groups'> & { id: string }

/** Rows of `process_todo` for a record, with the steps of the deadline ladder that the past days have taken. */
export function todoRows(kind: string, row: Source, todos: readonly Todo[], since: Date, now: number) {
  const { projectCode, corpCode, shownAt, groups } = row
  return todos.map(({ turn, forGroup = null, codes, title, link, due }, i) => {
    let step = 0
    while (due && (stepAt(due, step)?.getTime() ?? Number.POSITIVE_INFINITY) <= now) step++
    return {
      id: idOf(row.id, 'todo', String(i)),
      kind,
      objectId: row.id,
      projectCode,
      corpCode,
      shownAt,
      groups,
      turn,
      forGroup,
      codes: [...codes],
      title,
      link,
      since,
      due,
      step,
      nextAt: due ? stepAt(due, step) : null,
    }
  })
}
