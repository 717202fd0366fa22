import { labourAlarmCounts } from '@zhugong/contract/labour-alarms/endpoints'
import { Segmented } from 'antd'
import { useCall } from '#kit/call.ts'
import { useProjectCode } from '#kit/me.ts'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'
import { Records } from './record-tab.tsx'
import { Settings } from './setting-tab.tsx'
import './labour-alarms.css'

/** Labour alarms: records, and settings of what is reported to whom. */
export default function AlarmSetPage() {
  const query = usePageQuery()
  const { path } = usePage()
  const go = useGo()
  const projectCode = useProjectCode()
  const counts = useCall(labourAlarmCounts, { query: { projectCode } }, { quiet: true, keepPrevious: true, everyMs: 120_000 })
  const requested = query.get('tab') ?? 'records'
  const switcher = (
    <Segmented
      value={requested}
      options={[
        { value: 'records', label: counts.data?.open ? `预警记录 ${counts.data.open}` : '预警记录' },
        { value: 'setting', label: '设置' },
      ]}
      onChange={(tab) => go(path, { tab: String(tab) }, { replace: true })}
    />
  )
  if (requested !== 'setting') return <Records projectCode={projectCode} counts={counts.data} switcher={switcher} />
  if (projectCode === '*') {
    return <ProjectPicker why="预警阈值按项目设置" actions={switcher} />
  }
  return <Settings projectCode={projectCode} counts={counts.data} switcher={switcher} />
}
