import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { pickProjects } from '@zhugong/contract/organisation/projects'
import {
  cardsFor,
  type DashboardPolicy,
  type getDashboard,
  type HomeCard,
  homeCardKeys,
  homeCards,
  saveDashboardPolicy,
  spreadDashboardPolicy,
} from '@zhugong/contract/settings/dashboard'
import { Button, Checkbox } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { Card, DetailSkeleton, ErrorPanel, Tag } from '#kit/feedback.tsx'
import { Choices } from '#kit/inputs.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { usePage } from '#kit/page.tsx'
import { SettingsPage } from '#kit/settings-shell.tsx'
import { useUnsaved } from '#kit/unsaved.ts'
import { LayoutPicture, Limits, limitWords, useDashboard } from './dashboard-parts.tsx'

type Read = OutputFor<typeof getDashboard>
const nothing: DashboardPolicy = { forced: [], limits: {} }

/** Required cards and limits of a project's home page; their arrangement is up to the site. */
export default function ProjectDashboardPage() {
  const { data, error, refetch } = useDashboard()
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />
  return <Policy key={data.policy.version} read={data} />
}

const forcedWords = (forced: readonly HomeCard[]): string =>
  homeCardKeys.flatMap((card) => (forced.includes(card) ? [homeCards[card].name] : [])).join('、') || '无'

function Policy({ read }: { read: Read }) {
  const page = usePage()
  const current = read.policy.value ?? nothing
  const [draft, setDraft] = useState(current)
  const [spreading, setSpreading] = useState(false)
  const act = useAct(saveDashboardPolicy, { success: '已保存，项目首页随即更新' })
  const may = useCan(saveDashboardPolicy, { projectCode: read.projectCode })
  const differences = [
    { label: '必须显示', before: forcedWords(current.forced), after: forcedWords(draft.forced) },
    { label: '阈值', before: limitWords(current.limits), after: limitWords(draft.limits) },
  ].filter((one) => one.before !== one.after)
  useUnsaved(differences.length > 0, page.cacheKey, page.entry.title)
  const arranged = read.dashboard.value
  const cards = cardsFor(arranged, draft, [])
  return (
    <SettingsPage
      title="看板设置"
      remark="要求显示的卡片项目部不能隐藏，设定的阈值代替项目部的"
      last={{ by: read.policy.updateBy, at: read.policy.updateTime }}
      lock={may ? undefined : '没有锁定看板的权限，此处只供查看'}
      above={
        arranged ? `项目部已自行编排首页（${read.dashboard.updateBy} ${read.dashboard.updateTime}）` : '项目部未编排首页，使用默认布局'
      }
      differences={differences}
      saving={act.running}
      onSave={() => act.run({ body: { projectCode: read.projectCode, value: draft, version: read.policy.version } })}
      onUndo={() => setDraft(current)}
      actions={
        <Can call={spreadDashboardPolicy}>
          <Button disabled={read.policy.version === 0 || differences.length > 0} onClick={() => setSpreading(true)}>
            用于其他项目
          </Button>
        </Can>
      }
    >
      <div className="set-dashboard">
        <Card title="卡片" flush>
          {homeCardKeys.map((card) => {
            const place = arranged?.roles['*']?.find((one) => one.card === card)
            return (
              <div key={card} className="set-card-line">
                <Checkbox
                  checked={draft.forced.includes(card)}
                  onChange={({ target }) =>
                    setDraft({ ...draft, forced: target.checked ? [...draft.forced, card] : draft.forced.filter((one) => one !== card) })
                  }
                >
                  {homeCards[card].name}
                </Checkbox>
                <span className="set-end">
                  {draft.forced.includes(card) ? (
                    <Tag tone="warning">强制显示</Tag>
                  ) : (
                    <Tag icon={false}>{place?.hidden ? '项目部已隐藏' : '项目自定'}</Tag>
                  )}
                </span>
              </div>
            )
          })}
        </Card>
        <div className="set-side">
          <LayoutPicture cards={cards} forced={draft.forced} />
          <Limits limits={draft.limits} onChange={(limits) => setDraft({ ...draft, limits })} />
        </div>
      </div>
      {spreading && <Spread projectCode={read.projectCode} name={read.name} onClose={() => setSpreading(false)} />}
    </SettingsPage>
  )
}

const changeWords = { new: '新设', replace: '替换原要求', same: '相同，不变' } as const

/** Applies the same to other projects, after a preview of the changes. */
function Spread({ projectCode, name, onClose }: { projectCode: string; name: string; onClose: () => void }) {
  const projects = useCall(pickProjects, { query: { page: 1, size: 200 } }, { quiet: true })
  const [to, setTo] = useState<string[]>([])
  const [tried, setTried] = useState<{ to: string; list: OutputFor<typeof spreadDashboardPolicy>['list'] }>()
  const act = useAct(spreadDashboardPolicy, { success: false })
  const options = (projects.data?.list ?? [])
    .filter((p) => p.projectCode !== projectCode)
    .map((p) => ({ value: p.projectCode, label: p.name }))
  const ready = tried?.to === to.join()
  const run = async () => {
    const done = await act.run({ body: { projectCode, to, apply: ready } })
    if (!done) return
    if (ready) onClose()
    else setTried({ to: to.join(), list: done.data.list })
  }
  return (
    <PageDrawer
      open
      size={520}
      title={`将 ${name} 的要求用于其他项目`}
      onClose={onClose}
      footer={
        <Button type="primary" disabled={to.length === 0} loading={act.running} onClick={() => void run()}>
          {ready ? '确定设置' : '试算'}
        </Button>
      }
    >
      <Choices aria-label="项目" options={options} value={to} onChange={(next) => setTo(next ?? [])} />
      {ready && (
        <ul>
          {tried.list.map((one) => (
            <li key={one.projectCode}>
              {one.name}：{changeWords[one.change]}
            </li>
          ))}
        </ul>
      )}
    </PageDrawer>
  )
}
