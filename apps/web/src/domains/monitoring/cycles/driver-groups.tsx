import { Segmented } from 'antd'
import { hrefOf, usePageQuery } from '#kit/page.tsx'
import type { FamilyScope } from '../family-scope.tsx'
import { useTalkNotice } from '../talk-notice.tsx'
import { driverWords, nobody } from './columns.tsx'

interface Group {
  key: string
  name: string
  projectCode: string | null
  deviceNames: readonly string[]
  days: number
}

interface Grouped<By extends string> {
  /** What a machine is called. */
  unit: string
  /** Labels of the groupings; `driver` is the default. */
  groupings: Readonly<Record<By, string>>
  /** The list of cycles, and the link to it. */
  path: string
  link: string
}

const titles: Readonly<Record<string, string>> = { driver: '司机', hour: '时段' }
const units: Readonly<Record<string, string>> = { driver: '人', device: '台' }

/** The list of cycles grouped by driver, machine or hour: the grouping in the address, its switch, the columns and the links of a group. */
export function useDriverGroups<By extends string>(scope: FamilyScope, { unit, groupings, path, link }: Grouped<By>) {
  const notice = useTalkNotice(scope.projectCode, unit)
  const requested = usePageQuery().get('by')
  const by = (requested !== null && Object.hasOwn(groupings, requested) ? requested : 'driver') as By
  const isDriver = by === 'driver'
  const cyclesOf = ({ key, name }: Group) =>
    by === 'device' ? { deviceId: key } : { deviceId: scope.deviceId, driverName: name === nobody ? undefined : name }
  return {
    by,
    form: notice.form,
    control: (
      <Segmented
        aria-label="分组"
        value={by}
        options={Object.entries<string>(groupings).map(([value, label]) => ({ value, label }))}
        onChange={(value) => scope.put({ by: value === 'driver' ? undefined : value })}
      />
    ),
    columns: {
      name: (width: number) =>
        ({
          key: 'name',
          title: titles[by] ?? unit,
          width,
          locked: true,
          value: (r: Group) => (isDriver ? driverWords(r.name) : r.name),
        }) as const,
      deviceNames: (width: number) =>
        ({ key: 'deviceNames', width, hidden: by === 'device', value: (r: Group) => r.deviceNames.join('、') }) as const,
      days: { key: 'days', width: 92, align: 'right', value: (r: Group) => r.days } as const,
      notice: { key: 'notice', width: 116, hidden: !isDriver, value: (r: Group) => (isDriver ? notice.mark(r) : null) } as const,
    },
    unit: units[by] ?? titles[by],
    /** @param did what the driver did, for the notice */
    actions: (row: Group, did: string) => [
      by !== 'hour' && { label: link, href: hrefOf(path, { period: scope.period.text, ...cyclesOf(row) }) },
      isDriver && row.name !== nobody && notice.action(row, did),
    ],
  }
}
