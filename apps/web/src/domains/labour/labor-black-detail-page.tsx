import { Button } from 'antd'
import { Empty } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { BlackWork } from './black-work.tsx'

/** One person's entry on its own page, so that it can be shared as a link. */
export default function LaborBlackDetailPage() {
  const id = usePageQuery().get('id') ?? ''
  const page = usePage()
  const go = useGo()
  if (!id)
    return (
      <PageShell>
        <Empty text="未选择记录" hint="从劳务黑名单打开一条记录">
          <Button onClick={() => go('/laborBlack')}>去劳务黑名单</Button>
        </Empty>
      </PageShell>
    )
  return (
    <div className="zg-page zg-scrolls">
      <BlackWork kind="worker" id={id} onClose={page.close} onEdit={() => go('/laborBlackEdit', { id })} />
    </div>
  )
}
