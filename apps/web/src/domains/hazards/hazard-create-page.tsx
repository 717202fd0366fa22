import { useProjectCode } from '#kit/me.ts'
import { usePageQuery } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'
import { EditHazard, NewHazard } from './hazard-form.tsx'
import { EditPermit, NewPermit } from './permit-form.tsx'
import './hazards.css'

/** Note a hazard, or ask for a permit (`?kind=permit`). `?id=` and `?permit=` open what is written already. */
export default function HazardCreatePage() {
  const query = usePageQuery()
  const projectCode = useProjectCode()
  const id = query.get('id')
  const permit = query.get('permit')
  const isPermit = query.get('kind') === 'permit'
  if (id) return <EditHazard id={id} />
  if (permit) return <EditPermit id={permit} />
  if (projectCode === '*') return <ProjectPicker why={isPermit ? '给哪个项目开作业票' : '登记哪个项目的危险源'} />
  return isPermit ? <NewPermit key={projectCode} projectCode={projectCode} /> : <NewHazard key={projectCode} projectCode={projectCode} />
}
