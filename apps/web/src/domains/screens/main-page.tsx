import { useEffect, useMemo } from 'react'
import { Link } from 'react-router'
import { timeOfDay } from '#kit/format.ts'
import { useGo, usePage, usePageQuery, usePageTitle } from '#kit/page.tsx'
import { displayKey } from '#kit/session.ts'
import { hubFor } from './hub.ts'
import { useNightlyReload, useScreen } from './use-screen.ts'
import { Wall } from './wall.tsx'
import './wall.css'

/** The wall; one page for the levels city, company and site. */
export default function MainPage() {
  const page = usePage()
  const query = usePageQuery()
  const go = useGo()
  const wall = query.has('wall') || displayKey() !== undefined
  const { checked, template, fault, over } = useScreen(query.get('tpl') ?? undefined)
  const hub = useMemo(() => hubFor(undefined), [])
  useNightlyReload(wall)
  const title = checked?.group.title ?? ''
  usePageTitle(title || undefined)
  const area = query.get('areaCode') ?? undefined
  const leave = () => go('/main')
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !wall && !document.fullscreenElement) leave()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  })
  if (template && checked) {
    return (
      <div className="wall-page">
        <Wall
          hub={hub}
          level={template.level}
          body={template.body}
          setting={checked.setting ?? undefined}
          title={title}
          logo={checked.group.logo}
          closed={checked.closed}
          mode={wall ? 'wall' : 'desk'}
          {...(wall
            ? {}
            : {
                area,
                onArea: (areaCode: string | undefined) =>
                  go(page.path, { tpl: query.get('tpl') ?? undefined, areaCode }, { replace: true }),
              })}
          onLeave={leave}
          notice={over ? `登录已失效，数据止于 ${timeOfDay(checked.now)}` : fault && `连接中断，显示最后的数据：${fault}`}
        />
      </div>
    )
  }
  const reason = checked && !checked.allowed ? checked.reason : fault
  return (
    <div className="wall-page">
      {reason ? (
        <div className="wall-refused">
          <p>{reason}</p>
          {!wall && <Link to="/main">返回首页</Link>}
        </div>
      ) : (
        <div className="wall-refused" role="status">
          <p>大屏加载中</p>
        </div>
      )}
    </div>
  )
}
