import { Button } from 'antd'
import { Empty } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useGo, usePageQuery } from '#kit/page.tsx'
import { HazardView } from './hazard-view.tsx'
import { paths } from './hazard-words.tsx'
import { PermitView } from './permit-view.tsx'
import './hazards.css'

/** A hazard (`?id=`): who controls it, was it looked at? A permit (`?permit=`): may this work go on, what remains to do? */
export default function HazardDetailPage() {
  const query = usePageQuery()
  const go = useGo()
  const id = query.get('id')
  const permit = query.get('permit')
  if (!id && !permit)
    return (
      <PageShell>
        <Empty text="未选择危险源或作业票" hint="从危险源管理打开一项">
          <Button onClick={() => go(paths.list)}>去危险源管理</Button>
        </Empty>
      </PageShell>
    )
  return (
    <div className="zg-page zg-scrolls">{permit ? <PermitView key={permit} id={permit} /> : <HazardView key={id} id={id ?? ''} />}</div>
  )
}
