import { Button } from 'antd'
import { Empty } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useGo, usePageQuery } from '#kit/page.tsx'
import { CampaignView } from './campaign-view.tsx'
import { CheckView } from './check-view.tsx'
import { paths } from './theme-words.tsx'

/** Is this campaign done, and what did it find? `?check=` shows one check of it. */
export default function ThemeDetailPage() {
  const query = usePageQuery()
  const go = useGo()
  const [id, check] = [query.get('id'), query.get('check')]
  if (!id && !check)
    return (
      <PageShell>
        <Empty text="未选择专项检查" hint="从项目专项检查列表打开一项">
          <Button onClick={() => go(paths.list)}>去项目专项检查列表</Button>
        </Empty>
      </PageShell>
    )
  return <div className="zg-page zg-scrolls">{check ? <CheckView key={check} id={check} /> : <CampaignView key={id} id={id ?? ''} />}</div>
}
