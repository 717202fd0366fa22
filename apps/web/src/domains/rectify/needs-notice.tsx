import { Button } from 'antd'
import type { ReactNode } from 'react'
import { Empty } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useGo, usePageQuery } from '#kit/page.tsx'

const list = '/jgt/project/zghf_index'

/** A page about one notice, named by `?id=`; without it, where to choose one. */
export function NeedsNotice({ children }: { children: (id: string) => ReactNode }) {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  if (!id)
    return (
      <PageShell>
        <Empty text="未选择整改单" hint="从项目回复打开一份">
          <Button onClick={() => go(list)}>去项目回复</Button>
        </Empty>
      </PageShell>
    )
  return (
    <div key={id} className="zg-page zg-scrolls">
      {children(id)}
    </div>
  )
}
