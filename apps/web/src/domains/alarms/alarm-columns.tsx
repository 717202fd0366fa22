import type { AlarmRow } from '@zhugong/contract/alarms/endpoints'
import type { alarmList } from '@zhugong/contract/alarms/lists'
import { Tooltip } from 'antd'
import { RiskBadge } from '#kit/feedback.tsx'
import { time } from '#kit/format.ts'
import type { Option } from '#kit/list-state.ts'
import { hrefOf } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { ActiveTag, besideWords, lasted, levelOptions, MarkTags, StateTag, stateOptions } from './alarm-words.tsx'
import { UrgingMark } from './notice-form.tsx'

/** Whether the row stands for alarms of several meters. */
const isOutage = (row: AlarmRow): boolean => row.beside?.some((one) => one.deviceName !== row.deviceName) ?? false

/** `when`: the column is shown only if it returns true for at least one row on the page. */
export type AlarmColumn = ColumnOf<typeof alarmList> & { when?: (row: AlarmRow) => boolean }

interface CommonColumnsProps {
  path: string
  open: (id: string) => void
  kinds: readonly Option[] | undefined
  isTodo: boolean
  /** Whether the list covers several sites. */
  isWide: boolean
  now: number
}

/** Columns shared by all alarm lists. */
export function commonColumns({ path, open, kinds, isTodo, isWide, now }: CommonColumnsProps): AlarmColumn[] {
  const common: AlarmColumn[] = [
    {
      key: 'level',
      width: 78,
      value: (row) => <RiskBadge level={row.level} />,
      filter: 'multi',
      options: levelOptions,
      sort: true,
    },
    {
      key: 'alarmKey',
      width: 114,
      locked: true,
      value: (row) => (
        <span>
          <a
            href={hrefOf(path, { alarmId: row.id })}
            onClick={(event) => {
              event.preventDefault()
              open(row.id)
            }}
          >
            {row.alarmLabel}
          </a>{' '}
          <MarkTags row={row} />
          {row.beside && row.beside.length > 0 && (
            <Tooltip title={besideWords(row.beside, row.deviceName)}>
              <span className="zg-2">
                等 {row.beside.length + 1} {isOutage(row) ? '块表' : '条'}
              </span>
            </Tooltip>
          )}
        </span>
      ),
      filter: kinds ? 'multi' : undefined,
      options: kinds,
    },
    {
      key: 'deviceName',
      width: 112,
      value: (row) => `${row.deviceName}${row.point ? ` · ${row.point}` : ''}`,
      filter: 'text',
    },
    {
      key: 'person',
      width: 120,
      when: (row) => row.person !== null,
      value: (row) => row.person && [row.person.name ?? '未绑定人员', row.person.team].filter(Boolean).join(' · '),
    },
    { key: 'place', width: 92, when: (row) => Boolean(row.person?.place), value: (row) => row.person?.place },
    { key: 'active', width: 84, value: (row) => <ActiveTag row={row} /> },
    {
      key: 'state',
      width: 80,
      value: (row) => <StateTag state={row.state} />,
      ...(isTodo ? {} : { filter: 'multi' as const, options: stateOptions }),
    },
    { key: 'urging', width: 116, when: (row) => row.urging !== null, value: (row) => <UrgingMark urging={row.urging} /> },
    {
      key: 'startTime',
      width: 112,
      // Omit the year, nearly always the same; the title shows the full time.
      value: (row) => <span title={time(row.startTime)}>{time(row.startTime).slice('2026-'.length)}</span>,
      sort: true,
    },
    { key: 'duration', width: 62, align: 'right', value: (row) => lasted(row, now) },
  ]
  // Device names repeat across sites, so a list of several sites shows the project too.
  const project: AlarmColumn[] = isWide ? [{ key: 'projectName', width: 140, value: (row) => row.projectName }] : []
  return common.flatMap((one) => (one.key === 'deviceName' ? [one, ...project] : [one]))
}
