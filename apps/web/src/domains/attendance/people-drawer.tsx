import { corpStats, inPlaceStats, type PersonState, teamStats } from '@zhugong/contract/attendance/stats'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { Link } from 'react-router'
import { DataTable } from '#kit/data-table.tsx'
import { minuteOfDay } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { PageDrawer } from '#kit/overlay.tsx'
import { hrefOf } from '#kit/page.tsx'
import type { Column } from '#kit/table-columns.tsx'
import { ResultWords } from './words.tsx'

/** Title and filters of a clicked figure; the same filters as the figure was counted by. */
export interface Behind {
  title: string
  scope: 'corp' | 'team' | 'inPlace'
  state: PersonState
  projectCode: string
  date?: string
  startDate?: string
  endDate?: string
  corpCode?: string | undefined
  teamSysNo?: string | undefined
  workType?: string | undefined
  workRole?: string | undefined
  hour?: string
}
/** Opens the list of people behind a figure. */
export type OpenPeople = (behind: Behind) => void

const calls = { corp: corpStats.queryperson, team: teamStats.queryperson, inPlace: inPlaceStats.queryperson }
type Person = OutputFor<typeof inPlaceStats.queryperson>['list'][number]

/** The people behind a figure; the length of the list equals the figure. */
export function PeopleDrawer({ behind, onClose }: { behind: Behind | undefined; onClose: () => void }) {
  return (
    <PageDrawer open={behind !== undefined} size={760} title={behind?.title} onClose={onClose}>
      {behind && <People key={JSON.stringify(behind)} behind={behind} />}
    </PageDrawer>
  )
}

const columns: Column<Person>[] = [
  {
    key: 'name',
    title: '姓名',
    width: 88,
    locked: true,
    value: (r) => <Link to={hrefOf('/SingleAttendance', { workerId: r.workerId, month: r.date.slice(0, 7) })}>{r.name}</Link>,
  },
  { key: 'date', title: '日期', width: 100, value: (r) => r.date },
  { key: 'teamName', title: '班组', width: 110, value: (r) => r.teamName },
  { key: 'corpName', title: '单位', width: 150, weak: true, value: (r) => r.corpName },
  { key: 'workType', title: '工种/岗位', width: 96, value: (r) => r.workTypeName },
  { key: 'firstIn', title: '首次入场', width: 84, value: (r) => minuteOfDay(r.firstIn) },
  { key: 'lastOut', title: '末次出场', width: 84, value: (r) => minuteOfDay(r.lastOut) },
  { key: 'workHours', title: '工时', width: 64, align: 'right', value: (r) => r.workHours.toFixed(1) },
  { key: 'results', title: '结果', width: 110, value: (r) => <ResultWords results={r.results} /> },
]

function People({ behind }: { behind: Behind }) {
  const { title: _, scope, ...query } = behind
  const list = useListPage(calls[scope], { scope: query, inUrl: false })
  return (
    <div className="att-behind">
      <DataTable
        list={list}
        name={`attendance-behind`}
        unit="人次"
        columns={columns}
        search={{ key: 'name', placeholder: '姓名' }}
        emptyHint="没有人在这个数字里"
      />
    </div>
  )
}
