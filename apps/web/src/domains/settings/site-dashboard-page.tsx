import { ArrowDownOutlined, ArrowUpOutlined, LockOutlined } from '@ant-design/icons'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import {
  type CardPlace,
  cardSizes,
  cardsFor,
  type Dashboard,
  type DashboardRole,
  dashboardRoles,
  type getDashboard,
  homeCards,
  saveDashboard,
} from '@zhugong/contract/settings/dashboard'
import { Button, Segmented, Switch } from 'antd'
import { useState } from 'react'
import { useAct } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Card, DetailSkeleton, ErrorPanel } from '#kit/feedback.tsx'
import { usePage } from '#kit/page.tsx'
import { type Difference, SettingsPage } from '#kit/settings-shell.tsx'
import { useUnsaved } from '#kit/unsaved.ts'
import { LayoutPicture, Limits, limitWords, useDashboard } from './dashboard-parts.tsx'

type Read = OutputFor<typeof getDashboard>
const roles = Object.keys(dashboardRoles) as DashboardRole[]
const nothing: Dashboard = { roles: {}, limits: {} }

/** Cards of the site's home page, by role. */
export default function SiteDashboardPage() {
  const { data, error, refetch } = useDashboard()
  if (error) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />
  return <Arranging key={data.dashboard.version} read={data} />
}

const wordsOf = (cards: readonly CardPlace[]): string =>
  cards
    .flatMap((one) => (one.hidden ? [] : [`${homeCards[one.card].name}（${cardSizes[String(one.size) as '1' | '2' | '3']}）`]))
    .join('、')

function differencesOf(before: Dashboard, after: Dashboard, read: Read): Difference[] {
  const { value: policy } = read.policy
  const list = roles.map((role) => ({
    label: `${dashboardRoles[role]}的首页`,
    before: before.roles[role] ? wordsOf(cardsFor(before, policy, [role])) : role === '*' ? '默认布局' : '同其他人员',
    after: after.roles[role] ? wordsOf(cardsFor(after, policy, [role])) : role === '*' ? '默认布局' : '同其他人员',
  }))
  return [...list, { label: '阈值', before: limitWords(before.limits), after: limitWords(after.limits) }].filter(
    (one) => one.before !== one.after,
  )
}

function Arranging({ read }: { read: Read }) {
  const page = usePage()
  const current = read.dashboard.value ?? nothing
  const policy = read.policy.value
  const [draft, setDraft] = useState(current)
  const [role, setRole] = useState<DashboardRole>('*')
  const act = useAct(saveDashboard, { success: '已保存，首页随即更新' })
  const may = useCan(saveDashboard, { projectCode: read.projectCode })
  const differences = differencesOf(current, draft, read)
  useUnsaved(differences.length > 0, page.cacheKey, page.entry.title)
  const cards = cardsFor(draft, policy, [role])
  const forced = policy?.forced ?? []
  const arrange = (next: CardPlace[]) => setDraft({ ...draft, roles: { ...draft.roles, [role]: next } })
  const restore = () => {
    const { [role]: _own, ...rest } = draft.roles
    setDraft({ ...draft, roles: rest })
  }
  const move = (at: number, by: number) => {
    const next = [...cards]
    const [one] = next.splice(at, 1)
    if (one) next.splice(at + by, 0, one)
    arrange(next)
  }
  const change = (at: number, part: Partial<CardPlace>) => arrange(cards.map((one, i) => (i === at ? { ...one, ...part } : one)))
  return (
    <SettingsPage
      title="看板设置"
      remark="按角色编排首页卡片"
      last={{ by: read.dashboard.updateBy, at: read.dashboard.updateTime }}
      lock={may ? undefined : '只有项目部可以编排首页，此处只供查看'}
      above={
        forced.length > 0 &&
        `上级要求显示：${forced.map((card) => homeCards[card].name).join('、')}（${read.policy.updateBy ?? '上级'}设定）`
      }
      differences={differences}
      saving={act.running}
      onSave={() => act.run({ body: { projectCode: read.projectCode, value: draft, version: read.dashboard.version } })}
      onUndo={() => setDraft(current)}
      actions={
        <Button disabled={!draft.roles[role]} onClick={restore}>
          {role === '*' ? '恢复默认' : '同其他人员'}
        </Button>
      }
    >
      <Segmented<DashboardRole>
        aria-label="角色"
        value={role}
        options={roles.map((value) => ({ value, label: dashboardRoles[value] }))}
        onChange={setRole}
        disabled={false}
      />
      <div className="set-dashboard">
        <Card title={`${dashboardRoles[role]}的首页`} remark={draft.roles[role] || role === '*' ? '' : '同其他人员，修改后自成一份'} flush>
          {cards.map((one, at) => {
            const { name } = homeCards[one.card]
            const isForced = forced.includes(one.card)
            return (
              <div key={one.card} className="set-card-line">
                <Button
                  size="small"
                  type="text"
                  icon={<ArrowUpOutlined />}
                  aria-label={`上移${name}`}
                  disabled={at === 0}
                  onClick={() => move(at, -1)}
                />
                <Button
                  size="small"
                  type="text"
                  icon={<ArrowDownOutlined />}
                  aria-label={`下移${name}`}
                  disabled={at === cards.length - 1}
                  onClick={() => move(at, 1)}
                />
                <b className={one.hidden ? 'zg-2' : ''}>{name}</b>
                <Segmented
                  size="small"
                  aria-label={`${name}宽度`}
                  value={String(one.size)}
                  options={Object.entries(cardSizes).map(([value, label]) => ({ value, label }))}
                  onChange={(size) => change(at, { size: Number(size) })}
                />
                {isForced ? (
                  <span className="zg-2">
                    <LockOutlined /> 上级要求显示
                  </span>
                ) : (
                  <Switch
                    size="small"
                    aria-label={`显示${name}`}
                    checked={!one.hidden}
                    checkedChildren="显示"
                    unCheckedChildren="隐藏"
                    onChange={(shown) => change(at, { hidden: !shown })}
                  />
                )}
              </div>
            )
          })}
        </Card>
        <div className="set-side">
          <LayoutPicture cards={cards} forced={forced} />
          <Limits limits={draft.limits} current={policy?.limits} onChange={(limits) => setDraft({ ...draft, limits })} />
        </div>
      </div>
    </SettingsPage>
  )
}
