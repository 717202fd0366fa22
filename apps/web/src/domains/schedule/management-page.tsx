import { useProjectCode } from '#kit/me.ts'
import { usePageQuery } from '#kit/page.tsx'
import { ProjectSchedule } from './project-schedule.tsx'
import { ScheduleTable } from './schedule-table.tsx'
import './schedule.css'

/** Are we on time, and what slips next? Over several projects: which of them lags? */
export default function ScheduleManagementPage() {
  const chosen = usePageQuery().get('project') ?? ''
  const scope = useProjectCode()
  const projectCode = chosen || scope
  return projectCode === '*' ? <ScheduleTable /> : <ProjectSchedule key={projectCode} projectCode={projectCode} chosen={chosen !== ''} />
}
